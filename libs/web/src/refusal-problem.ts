import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '#account/refusal.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { moneyText } from '#invoice-rules/money.js';
import { invalidBody } from './body.js';
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

/** Why a request with more than one header of that name is refused. */
export const SEVERAL_AUTHORIZATIONS = 'There is more than one Authorization header: send one.';

const SCHEME = /^([A-Za-z][A-Za-z-]{0,19}) /;

/** The refusal of a request without a Bearer. `what` it takes: an API `key`, an admin `token`. */
export function unauthenticated(
  what: 'key' | 'token',
  { authorization, 'x-api-key': xApiKey }: IncomingHttpHeaders,
): Problem {
  const right = `send the header "Authorization: Bearer <${what}>"`;
  const challenge = { 'www-authenticate': 'Bearer realm="popindex"' };
  // What stands there without a scheme may be a secret.
  const [, scheme] = SCHEME.exec(authorization ?? '') ?? [];
  if (scheme !== undefined) {
    const detail = `The scheme ${scheme} is not taken: ${right}.`;
    return problem('unauthenticated', detail, {}, challenge);
  }
  if (authorization) {
    const detail = `The header Authorization lacks the word Bearer: ${right}.`;
    return problem('unauthenticated', detail, {}, challenge);
  }
  const detail = `${xApiKey === undefined ? 'S' : 'X-Api-Key is not read: s'}${right.slice(1)}.`;
  return problem('unauthenticated', detail, {}, challenge);
}

/** The detail of a refusal of a key without a scope. */
export function lacksScope(scope: string): string {
  return `The API key lacks the scope "${scope}": use one that has it, or issue one.`;
}

/** The one table from an account's refusals to problems. */
export function refusalProblem(refusal: Refusal): Problem {
  switch (refusal.reason) {
    case 'account-unknown':
      return problem('not-found', 'There is no such account.');
    case 'account-exists':
      return problem('conflict', 'An account with that id exists: read it, or open another one.');
    case 'account-suspended':
      return problem('account-suspended', 'The account is suspended; its operator can resume it.');
    case 'account-closed':
      return problem(
        'conflict',
        'The account is closed and takes no more changes: open another one.',
      );
    case 'key-invalid':
      return invalidKey('The API key was revoked or has expired: ask for another one.');
    case 'scope-missing':
      return problem('forbidden', lacksScope(refusal.scope));
    case 'too-late':
      return accountingUnavailable('The call was not decided in time and was not charged.');
    case 'window-moved':
    case 'release-moved':
      return accountingUnavailable('The week turned during the call; it was not charged.');
    case 'no-rate-card':
      return accountingUnavailable(`No rate card of product ${refusal.product} is in force yet.`);
    case 'units-unpriced':
      return invalidBody([{ pointer: '/units', detail: refusal.detail }]).problem;
    case 'price-above-maximum':
      return priceAboveMaximum(refusal);
    case 'out-of-credits':
      return outOfCredits(refusal);
    case 'credits-held':
      return creditsHeld(refusal);
    case 'hold-closed':
    case 'hold-in-progress':
    case 'hold-limit':
      return holdProblem(refusal);
    case 'budget-exhausted':
      return budgetExhausted(refusal);
    case 'idempotency-key-used':
      return problem(
        'idempotency-key-used',
        `The answer of the call that the idempotency key names is no longer replayed: use a new key, or read /v1/calls/${refusal.callId}.`,
        { call_id: refusal.callId },
      );
    case 'idempotency-conflict':
      return idempotencyConflict(refusal);
    case 'version-moved':
      return problem(
        'precondition-failed',
        `The resource has changed: its ETag is ${refusal.tag} by now. Read it again, then change that.`,
      );
    case 'billing-moved':
      return problem('conflict', 'Something else happened to the invoice just now: ask again.');
    case 'purchase-used':
      return problem(
        'conflict',
        `At most ${moneyText(refusal.worth, refusal.currency)} of purchase ${refusal.grantId} can be ` +
          `given back: its ${refusal.unusedCredits} unused credits are worth that. All else of it is ` +
          'used, has expired or was taken back.',
      );
    case 'credit-balance-too-low':
      return problem(
        'conflict',
        `The credit balance is ${moneyText(refusal.balance, refusal.currency)}: at most that can be used.`,
      );
    case 'conflict':
    case 'not-found':
      return problem(refusal.reason, refusal.detail);
  }
}

function idempotencyConflict(
  refusal: Extract<Refusal, { reason: 'idempotency-conflict' }>,
): Problem {
  const { callId, first } = refusal;
  const at = first && formatMoment(first.at);
  const of = first && `, ${first.request} of ${at}`;
  const call = callId === undefined ? '' : `, call ${callId}`;
  return problem(
    'idempotency-conflict',
    `The idempotency key names another request${of ?? ''}${call}: use a new key for this one.`,
    {
      ...(callId !== undefined && { call_id: callId }),
      ...(first && { first_request: first.request, first_at: at }),
    },
  );
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

type OfHolds = Extract<Refusal, { reason: 'hold-closed' | 'hold-in-progress' | 'hold-limit' }>;

function holdProblem(refusal: OfHolds): Problem {
  switch (refusal.reason) {
    case 'hold-closed':
      return problem(
        'hold-closed',
        'The hold was settled, released or has expired: place another one.',
      );
    case 'hold-in-progress':
      return problem(
        'idempotency-in-progress',
        'Another attempt holds credits for the same call: repeat it once that is settled.',
        { call_id: refusal.callId },
      );
    case 'hold-limit':
      return problem(
        'hold-limit',
        `The account has ${refusal.limit} open holds: settle or release one of them.`,
        { limit: refusal.limit },
      );
  }
}

function creditsHeld(refusal: Extract<Refusal, { reason: 'credits-held' }>): Problem {
  const { requiredCredits, balance, heldCredits, availableCredits, kind, freeIn } = refusal;
  return problem(
    'credits-held',
    `The call costs ${requiredCredits} credits; ${availableCredits} are available beside ` +
      `${heldCredits} that are held.`,
    {
      required_credits: requiredCredits,
      balance,
      held_credits: heldCredits,
      available_credits: availableCredits,
      kind,
    },
    { 'retry-after': String(Math.max(1, Math.ceil(freeIn / 1_000))) },
  );
}

function budgetExhausted(refusal: Extract<Refusal, { reason: 'budget-exhausted' }>): Problem {
  const { budgetId, requiredCredits, leftCredits, resetsAt } = refusal;
  const end = formatInstant(resetsAt);
  return problem(
    'budget-exhausted',
    `The call costs ${requiredCredits} credits; the budget has ${leftCredits} left until ${end}.`,
    {
      budget_id: budgetId,
      required_credits: requiredCredits,
      left_credits: leftCredits,
      resets_at: end,
    },
  );
}
