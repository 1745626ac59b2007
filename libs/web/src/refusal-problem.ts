import type { Refusal } from '#account/refusal.js';
import { formatInstant } from '#calendar/instant.js';
import { type Problem, problem } from './problem.js';

/** Seconds after which a client may try again when charging is away. */
export const RETRY_SECONDS = 1;

export function accountingUnavailable(detail: string, retryAfterSeconds = RETRY_SECONDS): Problem {
  const seconds = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return problem('accounting-unavailable', detail, {}, { 'retry-after': seconds });
}

export function invalidKey(detail: string): Problem {
  const challenge = 'Bearer realm="popindex", error="invalid_token"';
  return problem('invalid-key', detail, {}, { 'www-authenticate': challenge });
}

export function unauthenticated(): Problem {
  const detail = 'Send the header "Authorization: Bearer <key>".';
  const challenge = 'Bearer realm="popindex"';
  return problem('unauthenticated', detail, {}, { 'www-authenticate': challenge });
}

/** The one table from an account's refusals to problems. */
export function refusalProblem(refusal: Refusal): Problem {
  switch (refusal.reason) {
    case 'account-unknown':
      return problem('not-found', 'There is no such account.');
    case 'account-exists':
      return problem('conflict', 'An account with that id exists.');
    case 'account-suspended':
      return problem('account-suspended', 'The account is suspended; its operator can resume it.');
    case 'account-closed':
      return problem('conflict', 'The account is closed.');
    case 'key-invalid':
      return invalidKey('The API key is unknown, revoked or expired.');
    case 'scope-missing':
      return problem('forbidden', `The API key lacks the scope "${refusal.scope}".`);
    case 'too-late':
      return accountingUnavailable('The call was not decided in time and was not charged.');
    case 'window-moved':
    case 'release-moved':
      return accountingUnavailable('The week turned during the call; it was not charged.');
    case 'price-above-maximum':
      return priceAboveMaximum(refusal);
    case 'out-of-credits':
      return outOfCredits(refusal);
    case 'budget-exhausted':
      return budgetExhausted(refusal);
    case 'idempotency-key-used':
      return problem(
        'idempotency-key-used',
        'The idempotency key named a call whose answer is no longer replayed.',
        { call_id: refusal.callId },
      );
    case 'idempotency-conflict':
      return problem(
        'idempotency-conflict',
        'The idempotency key names another request.',
        refusal.callId === undefined ? {} : { call_id: refusal.callId },
      );
    case 'version-moved':
      return problem(
        'precondition-failed',
        `The resource has changed: its ETag is ${refusal.tag} by now.`,
      );
    case 'billing-moved':
      return problem('conflict', 'Something else happened to the invoice just now. Ask again.');
    case 'conflict':
      return problem('conflict', refusal.detail);
    case 'not-found':
      return problem('not-found', refusal.detail);
  }
}

export function priceAboveMaximum(price: {
  readonly requiredCredits: number;
  readonly maxCredits: number;
  readonly kind: string;
}): Problem {
  return problem(
    'price-above-maximum',
    `The call costs ${price.requiredCredits} credits; Credits-Max allows ${price.maxCredits}.`,
    { required_credits: price.requiredCredits, max_credits: price.maxCredits, kind: price.kind },
  );
}

function outOfCredits(refusal: Extract<Refusal, { reason: 'out-of-credits' }>): Problem {
  return problem(
    'out-of-credits',
    `The call costs ${refusal.requiredCredits} credits; ${refusal.availableCredits} are available.`,
    {
      required_credits: refusal.requiredCredits,
      balance: refusal.balance,
      available_credits: refusal.availableCredits,
      kind: refusal.kind,
    },
  );
}

function budgetExhausted(refusal: Extract<Refusal, { reason: 'budget-exhausted' }>): Problem {
  const { budgetId, requiredCredits, leftCredits, resetsAt } = refusal;
  return problem(
    'budget-exhausted',
    `The call costs ${requiredCredits} credits; the budget has ${leftCredits} left.`,
    {
      budget_id: budgetId,
      required_credits: requiredCredits,
      left_credits: leftCredits,
      resets_at: formatInstant(resetsAt),
    },
  );
}
