import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { ForwardedAnswer, ForwardedRequest, Forwarding } from '#charging-link/forwarding.js';
import { PUBLIC } from '#rest/operation/interfaces.js';
import { admitOperator } from '#rest/operation/operator.js';
import { restModule } from '#rest/operation/rest-module.js';
import { routesOf } from '#rest/operation/routes.js';
import { PUBLIC_RESOURCES } from '#rest/resources.js';
import { createHttpServer } from '#web/server/http-server.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingRuntime, AccountingServices } from './services.js';

const REQUEST_ID = 'popindex-request';
/** Who asks, as an API process has admitted them: nobody else reaches this server. */
const ACCOUNT_HEADER = 'popindex-account';
const API_KEY_HEADER = 'popindex-api-key';

/** Answers what API processes forward, by the same routes as other servers but without a port. */
export class KeyHolderRequests implements Forwarding {
  private constructor(private readonly app: NestFastifyApplication) {}

  static async open(
    { calendar, configuration, logger, telemetry }: AccountingRuntime,
    services: AccountingServices,
  ): Promise<KeyHolderRequests> {
    const { lagOf } = services;
    const accountOf = (request: FastifyRequest): string => headerOf(request, ACCOUNT_HEADER);
    const settings = { services, calendar, accountOf, lagOf };
    const controllers = PUBLIC_RESOURCES.forwarded.map((one) => routesOf(PUBLIC, one, settings));
    const app = await createHttpServer(restModule({ controllers, telemetry }), {
      baseUrl: configuration.baseUrl,
      // The API that has forwarded a request adds its base path.
      publicUrl: null,
      log: logger,
      requestIdOf: ({ headers }) => String(headers[REQUEST_ID]),
      authentication: { addTo: noteApiKeys },
    });
    return new KeyHolderRequests(app);
  }

  async forward(request: ForwardedRequest): Promise<ForwardedAnswer> {
    const { accountId, apiKeyId, requestId, method, target, headers, body } = request;
    const answer = await this.app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: target,
      headers: {
        ...headers,
        [ACCOUNT_HEADER]: accountId,
        [API_KEY_HEADER]: apiKeyId,
        [REQUEST_ID]: requestId,
      },
      ...(body !== null && { payload: body }),
    });
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      ),
      body: answer.payload,
    };
  }

  async close(): Promise<void> {
    await this.app.close();
  }
}

/** Answers what API processes forward for holders of API keys, until the shutdown. */
export async function startKeyHolders(
  runtime: AccountingRuntime,
  services: AccountingServices,
  shutdown: Shutdown,
): Promise<Forwarding> {
  const requests = await KeyHolderRequests.open(runtime, services);
  shutdown.stop('what API processes forward', () => requests.close());
  return requests;
}

/** Changes are recorded as those of the API key that a request was admitted with. */
function noteApiKeys(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request) => {
    admitOperator(request, headerOf(request, API_KEY_HEADER));
  });
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new Error(`A forwarded request lacks ${name}.`);
  return value;
}
