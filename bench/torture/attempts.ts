import type { Attempt } from './journal.js';
import type { WireAnswer, WireOutcome } from './wire.js';

/**
 * Statuses that this traffic may get; every other one is a fault of the service. 408 is the answer
 * to a request that the network held back half-way for longer than a server waits for the rest.
 */
const EXPECTED = new Set([200, 304, 401, 402, 403, 408, 409, 412, 429, 503, 504]);

interface Problem {
  readonly code?: string;
  readonly call_id?: string;
}

function problemOf({ status, body }: WireAnswer): Problem {
  if (status < 400 || body === '') return {};
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return { code: 'unreadable' };
  }
}

/** The rule that an answer breaks by itself, or null. */
export function expectedOutcome(answer: WireAnswer): string | null {
  const { status, headers, body } = answer;
  if (status === 500) return 'no 500';
  if (!EXPECTED.has(status)) return 'only expected answers';
  if (headers.get('request-id') === undefined) return 'every answer has a Request-Id';
  if (status >= 400 && body !== '' && problemOf(answer).code === undefined) {
    return 'every error is a problem';
  }
  if (status !== 200 || !headers.has('call-id')) return null;
  const { credits_used: used } = JSON.parse(body) as { credits_used: number };
  return String(used) === headers.get('credits-used') ? null : 'body and headers agree';
}

/** An attempt of a metered call as it ended. */
export function attemptOf(
  { api, sentAt, died }: Pick<Attempt, 'api' | 'sentAt' | 'died'>,
  outcome: WireOutcome,
): Attempt {
  const endedAt = performance.now();
  const common = { api, sentAt, endedAt, died, got: outcome.got };
  if (outcome.got !== 'answer') {
    const nothing = { status: 0, code: '', callId: '', credits: 0, kind: '' };
    return { ...common, ...nothing, balance: null, replayed: false };
  }
  const { status, headers } = outcome;
  const { code = '', call_id: unknown = '' } = problemOf(outcome);
  const balance = headers.get('credits-balance');
  return {
    ...common,
    status,
    code,
    callId: headers.get('call-id') ?? unknown,
    credits: Number(headers.get('credits-used') ?? 0),
    kind: headers.get('credits-kind') ?? '',
    balance: balance === undefined ? null : Number(balance),
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}
