import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InjectOptions } from 'fastify';
import type { ForwardedAnswer, ForwardedRequest, Forwarding } from '#charging-link/forwarding.js';
import { createHttpServer } from '#web/server/http-server.js';
import type { AdminDependencies } from '../admin/admin-dependencies.js';
import { ACCOUNT_HEADER, API_KEY_HEADER } from './key-holder-authenticator.js';
import { KeyHoldersModule } from './key-holders.module.js';

const REQUEST_ID = 'popindex-request';

/** Answers what API processes forward, by the same routes as other servers but without a port. */
export class KeyHolderRequests implements Forwarding {
  private constructor(private readonly app: NestFastifyApplication) {}

  static async open(dependencies: AdminDependencies): Promise<KeyHolderRequests> {
    const { configuration, log } = dependencies;
    const app = await createHttpServer(KeyHoldersModule.register(dependencies), {
      baseUrl: configuration.baseUrl,
      // The API that has forwarded a request adds its base path.
      publicUrl: null,
      log,
      requestIdOf: ({ headers }) => String(headers[REQUEST_ID]),
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
