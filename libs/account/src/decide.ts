import { formatInstant } from '#calendar/instant.js';
import { advance, evolveAll } from './advance.js';
import type { AdjustCredits, Command, GrantCredits, IssueApiKey, OpenAccount } from './commands.js';
import type { MoveTestClock, RevokeApiKey } from './commands.js';
import { decideCall, type Terms } from './decide-call.js';
import type { AccountEvent } from './events.js';
import { debtOf, drawsFor } from './grants.js';
import type { Refusal } from './refusal.js';
import { availableCredits, momentOf, type AccountState } from './state.js';

/** What a command leads to. Events that fell due are recorded also when it is refused. */
export interface Decision {
  readonly events: readonly AccountEvent[];
  /** Index in `events` of the command's own event; null when refused or nothing was to do. */
  readonly own: number | null;
  readonly refusal: Refusal | null;
}

const MAX_CREDITS = Number.MAX_SAFE_INTEGER;
const MAX_CLOCK_STEP_DAYS = 400;
const DAY_MS = 86_400_000;

function conflict(detail: string): Refusal {
  return { reason: 'conflict', detail };
}

function optionalInstant(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

function openAccount(
  state: AccountState,
  command: OpenAccount,
  now: number,
): AccountEvent | Refusal {
  if (state.version > 0) return { reason: 'account-exists' };
  const { origin, profile, currency, overdraft, test, rateLimit } = command;
  return {
    type: 'AccountOpened',
    at: command.testClock ?? now,
    data: {
      ...origin,
      profile,
      currency,
      overdraft,
      test,
      test_clock: optionalInstant(command.testClock),
      rate_limit: rateLimit && { per_second: rateLimit.perSecond, burst: rateLimit.burst },
      low_balance: command.lowBalance,
      rate_card: command.rateCard,
    },
  };
}

function issueApiKey(
  state: AccountState,
  command: IssueApiKey,
  at: number,
): AccountEvent | Refusal {
  if (command.expiresAt !== null && command.expiresAt <= at) {
    return conflict('expires_at must lie in the future of the account.');
  }
  return {
    type: 'ApiKeyIssued',
    at,
    data: {
      ...command.origin,
      api_key: state.apiKeys.length + 1,
      key_id: command.keyId,
      hash: command.hash,
      prefix: command.prefix,
      last_four: command.lastFour,
      scopes: command.scopes,
      expires_at: optionalInstant(command.expiresAt),
      profile: command.profile,
    },
  };
}

function revokeApiKey(
  state: AccountState,
  command: RevokeApiKey,
  at: number,
): AccountEvent | Refusal | null {
  const index = state.apiKeys.findIndex(({ id }) => id === command.keyId);
  const key = state.apiKeys[index];
  if (key === undefined) return { reason: 'not-found', detail: 'The account has no such API key.' };
  if (key.revokedAt !== null) return null;
  const data = { ...command.origin, api_key: index + 1, key_id: key.id };
  return { type: 'ApiKeyRevoked', at, data };
}

function grantCredits(
  state: AccountState,
  command: GrantCredits,
  at: number,
): AccountEvent | Refusal {
  const { credits, kind, price, priority, profile } = command;
  if (command.expiresAt !== null && command.expiresAt <= at) {
    return conflict('expires_at must lie in the future of the account.');
  }
  // The sum of all grants is bounded too, so that no total ever leaves the safe integers.
  if (credits > MAX_CREDITS - Math.max(state.totals.granted, state.balance)) {
    return conflict(`An account holds at most ${MAX_CREDITS} credits.`);
  }
  return {
    type: 'CreditsGranted',
    at,
    data: {
      ...command.origin,
      grant: state.lastGrant + 1,
      grant_id: command.grantId,
      credits,
      kind,
      price,
      expires_at: optionalInstant(command.expiresAt),
      priority,
      profile,
      repaid: Math.min(credits, debtOf(state.balance)),
      balance: state.balance + credits,
    },
  };
}

function refuseAdjustment(state: AccountState, command: AdjustCredits): Refusal | null {
  const { credits, call } = command;
  if (credits > 0 && credits > MAX_CREDITS - Math.max(0, state.balance)) {
    return conflict(`An account holds at most ${MAX_CREDITS} credits.`);
  }
  if (call !== null && (credits < 0 || credits > call.charged)) {
    return conflict(`A call is given back with 1 to its charge of ${call.charged} credits.`);
  }
  const available = availableCredits(state);
  if (credits < 0 && available !== null && -credits > available) {
    return conflict(`Only ${Math.max(0, available)} credits are there to be taken.`);
  }
  return null;
}

function adjustCredits(
  state: AccountState,
  command: AdjustCredits,
  at: number,
): AccountEvent | Refusal {
  const refusal = refuseAdjustment(state, command);
  if (refusal !== null) return refusal;
  const { credits, call, origin } = command;
  const gives = credits > 0;
  return {
    type: 'Adjusted',
    at,
    data: {
      ...origin,
      credits,
      call_id: call?.callId ?? null,
      grant: gives ? state.lastGrant + 1 : null,
      grant_id: gives ? command.grantId : null,
      repaid: gives ? Math.min(credits, debtOf(state.balance)) : 0,
      draws: gives ? [] : drawsFor(state.grants, -credits),
      balance: state.balance + credits,
    },
  };
}

function refuseClock(state: AccountState, command: MoveTestClock): Refusal | null {
  if (state.testClock === null) return conflict('The account was not opened with a test clock.');
  if (command.now < state.testClock) {
    return conflict(
      `The test clock stands at ${formatInstant(state.testClock)} and never goes back.`,
    );
  }
  if (command.now - state.testClock > MAX_CLOCK_STEP_DAYS * DAY_MS) {
    return conflict(`A test clock moves at most ${MAX_CLOCK_STEP_DAYS} days a step.`);
  }
  return null;
}

/** The command's own event, a refusal, or null when there is nothing to do. */
function decideOwn(
  state: AccountState,
  command: Command,
  at: number,
  terms: Terms,
): AccountEvent | Refusal | null {
  switch (command.command) {
    case 'open-account':
      return openAccount(state, command, at);
    case 'suspend-account':
      return state.suspended ? null : { type: 'AccountSuspended', at, data: command.origin };
    case 'resume-account':
      return state.suspended ? { type: 'AccountResumed', at, data: command.origin } : null;
    case 'issue-api-key':
      return issueApiKey(state, command, at);
    case 'revoke-api-key':
      return revokeApiKey(state, command, at);
    case 'grant-credits':
      return grantCredits(state, command, at);
    case 'adjust-credits':
      return adjustCredits(state, command, at);
    case 'move-test-clock': {
      const data = { ...command.origin, now: formatInstant(command.now) };
      return command.now === state.testClock ? null : { type: 'TestClockMoved', at, data };
    }
    case 'tick':
      return null;
    case 'make-call':
      return decideCall(state, command.request, at, terms);
  }
}

function refuseBefore(state: AccountState, command: Command, now: number): Refusal | null {
  if (state.version === 0 && command.command !== 'open-account')
    return { reason: 'account-unknown' };
  if (command.command === 'move-test-clock') return refuseClock(state, command);
  if (command.command === 'make-call' && now > command.request.notAfter)
    return { reason: 'too-late' };
  return null;
}

/**
 * Decides one command of one account. `now` is the corrected real time in ms since 1970; what it
 * means for the account (never backwards, a test clock) is worked out here.
 */
export function decide(state: AccountState, command: Command, now: number, terms: Terms): Decision {
  const before = refuseBefore(state, command, now);
  if (before !== null) return { events: [], own: null, refusal: before };
  const at = command.command === 'move-test-clock' ? command.now : momentOf(state, now);
  const due = advance(state, at);
  const result = decideOwn(evolveAll(state, due), command, at, terms);
  if (result === null) return { events: due, own: null, refusal: null };
  if ('reason' in result) return { events: due, own: null, refusal: result };
  return { events: [...due, result], own: due.length, refusal: null };
}
