import { formatInstant } from '#calendar/instant.js';
import type { ChangeAccount, EraseProfile, MoveTestClock, OpenAccount } from './commands.js';
import type { RateLimit } from './commands.js';
import type { AccountChanged, AccountEvent, Origin, Plan, RateLimitTerms } from './events.js';
import { refusePlan } from './limits.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';

const MAX_CLOCK_STEP_DAYS = 400;
const DAY_MS = 86_400_000;

function rateLimitTerms(limit: RateLimit | null): RateLimitTerms | null {
  return limit && { per_second: limit.perSecond, burst: limit.burst };
}

export function openAccount(
  state: AccountState,
  command: OpenAccount,
  now: number,
): AccountEvent | Refusal {
  if (state.version > 0) return { reason: 'account-exists' };
  const { origin, profile, currency, overdraft, test, testClock } = command;
  return {
    type: 'AccountOpened',
    at: testClock ?? now,
    data: {
      ...origin,
      profile,
      currency,
      overdraft,
      test,
      test_clock: testClock === null ? null : formatInstant(testClock),
      rate_limit: rateLimitTerms(command.rateLimit),
      low_balance: command.lowBalance,
      rate_card: command.rateCard,
      ...(command.plan !== null && { plan: command.plan }),
      ...(command.receipts === true && { receipts: true }),
    },
  };
}

/** Whether two plans say the same, whatever the order of their members. */
function isSamePlan(one: Plan | null, other: Plan | null): boolean {
  return textOf(one) === textOf(other);
}

function textOf(plan: Plan | null): string {
  if (plan === null) return '';
  const { monthly_fee, included_credits, price_per_1000_credits, tax } = plan;
  const { category, rate_percent, reason } = tax;
  return JSON.stringify([
    monthly_fee,
    included_credits,
    price_per_1000_credits,
    [category, rate_percent, reason],
  ]);
}

function isSameLimit(one: RateLimit | null, other: RateLimit | null): boolean {
  return one?.perSecond === other?.perSecond && one?.burst === other?.burst;
}

/** Those of the changes that change something. */
function changesOf(
  state: AccountState,
  { changes }: ChangeAccount,
): Omit<AccountChanged, keyof Origin> {
  const { profile, overdraft, rateLimit, lowBalance, rateCard, plan, receipts } = changes;
  const coming = state.nextPlan === null ? state.plan : state.nextPlan.plan;
  return {
    ...(profile !== undefined && { profile }),
    ...(overdraft !== undefined && overdraft !== state.overdraft && { overdraft }),
    ...(rateLimit !== undefined &&
      !isSameLimit(rateLimit, state.rateLimit) && { rate_limit: rateLimitTerms(rateLimit) }),
    ...(lowBalance !== undefined && lowBalance !== state.lowBalance && { low_balance: lowBalance }),
    ...(rateCard !== undefined && rateCard !== state.rateCard && { rate_card: rateCard }),
    ...(plan !== undefined && !isSamePlan(plan, coming) && { plan }),
    ...(receipts !== undefined && receipts !== (state.receipts ?? false) && { receipts }),
  };
}

/** An overdraft may be put below the present debt: then calls are refused until it is repaid. */
export function changeAccount(
  state: AccountState,
  command: ChangeAccount,
  at: number,
): AccountEvent | Refusal | null {
  const changes = changesOf(state, command);
  if (Object.keys(changes).length === 0) return null;
  const { profileBefore = state.profile } = command;
  if (changes.profile && profileBefore !== state.profile) {
    return conflict('The name or other labels were changed at the same time: read them again.');
  }
  const refusal = changes.plan ? refusePlan(state, changes.plan) : null;
  if (refusal !== null) return refusal;
  return { type: 'AccountChanged', at, data: { ...command.origin, ...changes } };
}

export function eraseProfile(
  state: AccountState,
  { origin, profiles }: EraseProfile,
  at: number,
): AccountEvent | Refusal | null {
  if (state.closedAt === null) return conflict('Only a closed account can be erased.');
  if (state.erasedAt !== null) return null;
  const { unbilled, refunds, reissues } = state.billing;
  if (unbilled.length + refunds.length + reissues.length > 0) {
    return conflict('A document is still to be issued for the account: wait for it.');
  }
  return { type: 'ProfileErased', at, data: { ...origin, profiles } };
}

export function refuseClock(state: AccountState, command: MoveTestClock): Refusal | null {
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
