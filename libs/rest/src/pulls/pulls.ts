import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { parseResourcePath } from '#rating/resource-path.js';
import { problem, ProblemException, PROBLEMS, type ProblemSlug } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import { noMeteredPath } from '../metered-paths/metered-path.js';
import { sessionOf } from '../portal-sessions/signed-in.js';
import type { DataApi } from './data-api.js';
import { ApiAwayError, type ApiAnswer, type AskedOfApi } from './data-api.js';
import type { PortalKey } from './portal-key.js';
import { type Asker } from './portal-key.js';
import type { Pull, PulledAnswer } from './pull.schemas.js';

/** Under one idempotency key a second attempt is charged no second time. */
const ATTEMPTS_MAX = 2;

/** Headers of the API's answer that a pull shows, by their documented names. */
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

/** Members of every problem, which this server sets itself. */
const OWN = ['type', 'code', 'title', 'status', 'detail', 'instance'];

/** Calls of the portal: requests to the public API with the account's key. */
export class Pulls {
  constructor(
    private readonly api: DataApi,
    private readonly key: PortalKey,
  ) {}

  /** Throws a ProblemException: what the API refuses with, or that it is away. */
  async pull(
    request: FastifyRequest,
    idempotencyKey: string | null,
    body: Pull,
  ): Promise<PulledAnswer> {
    // Other resources of the API are no calls, and have addresses of their own here.
    if (parseResourcePath(body.path).outcome === 'not-found') {
      throw new ProblemException(noMeteredPath(body.path));
    }
    const headers = {
      'idempotency-key': idempotencyKey ?? randomUUID(),
      ...(body.credits_max !== undefined && { 'credits-max': String(body.credits_max) }),
    };
    const asked = { method: 'GET' as const, path: body.path, headers };
    const answer = await this.ask(request, asked);
    const callId = header(answer, 'Call-Id');
    if (callId === undefined) throw new Error('The data API has answered a call without its id.');
    const shown = SHOWN.flatMap((name) => {
      const value = header(answer, name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      status: 200,
      call_id: callId,
      headers: Object.fromEntries(shown),
      body: JSON.parse(answer.text) as PulledAnswer['body'],
    };
  }

  private async ask(
    request: FastifyRequest,
    asked: Omit<AskedOfApi, 'apiKey'>,
  ): Promise<ApiAnswer> {
    const { id: by, accountId } = sessionOf(request);
    const asker: Asker = { by, requestId: request.id };
    const apiKey = await this.key.secret(accountId, asker);
    const answer = await this.attempt({ ...asked, apiKey });
    if (answer.status === 200) return answer;
    // Whoever is signed in here would take it for the end of the session.
    if (answer.status === 401) return this.key.refuseRevoked(accountId);
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

/** The refusal of the API as this server's own; what is none comes from something in between. */
function forwardedProblem({ status, headers, text }: ApiAnswer): ProblemException {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true;
  const body = isProblem ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
  const { code, detail } = body;
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code) || typeof detail !== 'string') {
    return new ProblemException(accountingUnavailable(`The data API answers with ${status}.`));
  }
  const members = Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)));
  const retryAfter = headers['retry-after'];
  const more: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return new ProblemException(problem(code as ProblemSlug, detail, members, more));
}
