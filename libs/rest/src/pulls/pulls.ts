import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { parseResourcePath } from '#rating/resource-path.js';
import { problem, ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import { ApiAwayError, DataApi, type ApiAnswer, type AskedOfApi } from './data-api.js';
import { forwardedProblem } from './forwarded-problem.js';
import { PortalKey, type Asker } from './portal-key.js';

const PATH_LENGTH_MAX = 8_000;
/** Under one idempotency key a second attempt is charged no second time. */
const ATTEMPTS_MAX = 2;

/** Body of `POST /pulls`. */
export const pullBody = z.strictObject({
  path: z
    .string()
    .max(PATH_LENGTH_MAX)
    .regex(/^\/v1\/[\x21-\x7e]*$/, 'A path such as /v1/latest/cat1/trends/top5/popindex/us/beauty'),
  credits_max: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Refused, free, if it would cost more.',
  }),
});

export type PullBody = z.output<typeof pullBody>;

/** What a pull shows of the API's answer, by the names that the API documents. */
const SHOWN = [
  'Credits-Used',
  'Credits-Kind',
  'Credits-Balance',
  'Credits-Window',
  'Credits-Window-Ends',
  'Data-Release',
  'Data-Through',
  'Data-Unchanged-Since',
  'Idempotent-Replayed',
  'ETag',
] as const;

export interface PullView {
  readonly status: number;
  readonly call_id: string;
  readonly headers: Readonly<Partial<Record<(typeof SHOWN)[number], string>>>;
  /** The whole answer of the API. */
  readonly body: unknown;
}

/** Calls and quotes of the portal: the public API is asked like by anybody, with the account's key. */
@Injectable()
export class Pulls {
  constructor(
    @Inject(DataApi) private readonly api: DataApi,
    @Inject(PortalKey) private readonly key: PortalKey,
  ) {}

  /** Throws a ProblemException: what the API refuses with, or that it is away. */
  async pull(accountId: string, asker: Asker, body: PullBody): Promise<PullView> {
    // Other resources of the API are no calls, and have addresses of their own here.
    if (parseResourcePath(body.path).outcome === 'not-found') throw noCall();
    const headers = {
      'idempotency-key': asker.change.idempotencyKey ?? randomUUID(),
      ...(body.credits_max !== undefined && { 'credits-max': String(body.credits_max) }),
    };
    const asked = { method: 'GET' as const, path: body.path, headers };
    const answer = await this.ask(accountId, asker, asked);
    const callId = header(answer, 'Call-Id');
    if (callId === undefined) throw new Error('The data API has answered a call without its id.');
    const shown = SHOWN.flatMap((name) => {
      const value = header(answer, name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      status: answer.status,
      call_id: callId,
      headers: Object.fromEntries(shown) as PullView['headers'],
      body: JSON.parse(answer.text),
    };
  }

  /** The JSON text of the answer. */
  async quote(accountId: string, asker: Asker, body: unknown): Promise<string> {
    const asked = { method: 'POST' as const, path: '/v1/quotes', body: JSON.stringify(body) };
    return (await this.ask(accountId, asker, asked)).text;
  }

  private async ask(
    accountId: string,
    asker: Asker,
    asked: Omit<AskedOfApi, 'apiKey'>,
  ): Promise<ApiAnswer> {
    const apiKey = await this.key.secret(accountId, asker);
    const answer = await this.attempt({ ...asked, apiKey });
    if (answer.status === 200) return answer;
    // Whoever is signed in here would take it for the end of the session.
    if (answer.status === 401) return this.key.refuseRevoked(accountId, asker);
    throw forwardedProblem(answer);
  }

  private async attempt(asked: AskedOfApi, attempts = ATTEMPTS_MAX): Promise<ApiAnswer> {
    try {
      return await this.api.ask(asked);
    } catch (error) {
      if (!(error instanceof ApiAwayError)) throw error;
      if (attempts > 1) return this.attempt(asked, attempts - 1);
      throw new ProblemException(accountingUnavailable(error.sent ? UNCERTAIN : AWAY));
    }
  }
}

const AWAY = 'The data API does not answer; nothing was charged.';
const UNCERTAIN =
  'The data API did not answer in time. Ask again under the same Idempotency-Key: it is charged once.';

function header({ headers }: ApiAnswer, name: string): string | undefined {
  return headers[name.toLowerCase()]?.toString();
}

function noCall(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no metered resource at this path.'));
}
