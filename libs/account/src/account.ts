import { formatInstant } from '#calendar/instant.js';
import { commanded, instant, originOf, type EventsOf } from './event-type.js';
import { isSamePlan, refusePlan } from './limits.js';
import { conflict, type Refusal } from './refusal.js';
import { cardsAfter, changedCards, type OwnCards } from './own-cards.js';
import type { AccountState } from './state.js';
import type { Origin, Plan, ProfileReference, RateLimit, RateLimitTerms } from './terms.js';

export interface AccountOpened extends Origin {
  readonly profile: ProfileReference;
  readonly currency: string;
  /** Null: no limit. */
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly test_clock: string | null;
  readonly rate_limit: RateLimitTerms | null;
  readonly low_balance: number | null;
  readonly rate_card: number | null;
  /** By other products; absent: none. */
  readonly rate_cards?: OwnCards;
  /** In force for the whole month of the opening; absent without one. */
  readonly plan?: Plan;
  /** Answers carry receipts, whether or not they are preferred. */
  readonly receipts?: boolean;
}

/** Terms that an operator changed; what is absent stayed as it was. */
export interface AccountChanged extends Origin {
  /** The row with the account's new name. */
  readonly profile?: ProfileReference;
  readonly overdraft?: number | null;
  readonly rate_limit?: RateLimitTerms | null;
  readonly low_balance?: number | null;
  readonly rate_card?: number | null;
  readonly rate_cards?: OwnCards;
  /** From the next month on; null: none any more. */
  readonly plan?: Plan | null;
  readonly receipts?: boolean;
}

/** Personal data of a closed account was blanked. */
export interface ProfileErased extends Origin {
  /** Ids of the rows of personal texts. */
  readonly profiles: readonly string[];
}

export interface TestClockMoved extends Origin {
  readonly now: string;
}

export interface OpenAccount {
  readonly command: 'open-account';
  readonly origin: Origin;
  readonly profile: ProfileReference;
  readonly currency: string;
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly testClock: number | null;
  readonly rateLimit: RateLimit | null;
  readonly lowBalance: number | null;
  readonly rateCard: number | null;
  readonly rateCards?: OwnCards | undefined;
  readonly plan: Plan | null;
  readonly receipts?: boolean | undefined;
}

/** Changes what is given; a member that is absent or as it was changes nothing. */
export interface ChangeAccount {
  readonly command: 'change-account';
  readonly origin: Origin;
  readonly changes: {
    /** The row that holds the new name and the rest of it. */
    readonly profile?: ProfileReference | undefined;
    readonly overdraft?: number | null;
    readonly rateLimit?: RateLimit | null;
    readonly lowBalance?: number | null;
    readonly rateCard?: number | null;
    readonly rateCards?: OwnCards | undefined;
    /** From the next month on. */
    readonly plan?: Plan | null;
    readonly receipts?: boolean | undefined;
  };
  /** The row that `profile` was made from: if another has replaced it, the change is refused. */
  readonly profileBefore?: string | undefined;
}

/** Ends the use of an account for ever: its API keys stop working. */
export interface CloseAccount {
  readonly command: 'close-account';
  readonly origin: Origin;
}

/** Records that these rows of a closed account are blanked; the caller blanks them. */
export interface EraseProfile {
  readonly command: 'erase-profile';
  readonly origin: Origin;
  readonly profiles: readonly string[];
}

export interface SuspendAccount {
  readonly command: 'suspend-account' | 'resume-account';
  readonly origin: Origin;
}

export interface MoveTestClock {
  readonly command: 'move-test-clock';
  readonly origin: Origin;
  readonly now: number;
}

export function rateLimit(limit: RateLimitTerms | null): AccountState['rateLimit'] {
  return limit && { perSecond: limit.per_second, burst: limit.burst };
}

export function opened(
  state: AccountState,
  data: AccountOpened,
  at: number,
): Partial<AccountState> {
  const plan = data.plan ?? null;
  return {
    openedAt: at,
    currency: data.currency,
    overdraft: data.overdraft,
    test: data.test,
    testClock: instant(data.test_clock),
    rateLimit: rateLimit(data.rate_limit),
    lowBalance: data.low_balance,
    // An account begins without credits: that is no alert.
    toldLow: true,
    rateCard: data.rate_card,
    rateCards: cardsAfter(state, data.rate_cards ?? {}),
    plan,
    // Whatever was sent with the plan was its own.
    beforePlan: plan === null ? null : { overdraft: 0 },
    includedDue: plan !== null && plan.included_credits > 0,
    profile: data.profile.id,
    ...(data.receipts === true && { receipts: true }),
  };
}

/** An overdraft that is set while the plan is about to end is one for afterwards. */
function beforePlan(state: AccountState, data: AccountChanged): AccountState['beforePlan'] {
  const coming = data.plan === undefined ? state.nextPlan?.plan : data.plan;
  if (state.beforePlan === null) return coming ? { overdraft: state.overdraft } : null;
  const isEnding = coming === null && data.overdraft !== undefined;
  return isEnding ? { overdraft: data.overdraft } : state.beforePlan;
}

export function changed(state: AccountState, data: AccountChanged): Partial<AccountState> {
  return {
    beforePlan: beforePlan(state, data),
    ...(data.profile !== undefined && { profile: data.profile.id }),
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    ...(data.rate_limit !== undefined && { rateLimit: rateLimit(data.rate_limit) }),
    ...(data.low_balance !== undefined && { lowBalance: data.low_balance }),
    ...(data.rate_card !== undefined && { rateCard: data.rate_card }),
    ...(data.rate_cards !== undefined && { rateCards: cardsAfter(state, data.rate_cards) }),
    ...(data.plan !== undefined && { nextPlan: { plan: data.plan } }),
    ...(data.receipts !== undefined && { receipts: data.receipts ? true : undefined }),
  };
}

const MAX_CLOCK_STEP_DAYS = 400;

const DAY_MS = 86_400_000;

function rateLimitTerms(limit: RateLimit | null): RateLimitTerms | null {
  return limit && { per_second: limit.perSecond, burst: limit.burst };
}

export function openAccount(
  state: AccountState,
  command: OpenAccount,
  now: number,
): AccountLevelEvent | Refusal {
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
      ...(command.rateCards !== undefined && { rate_cards: command.rateCards }),
      ...(command.plan !== null && { plan: command.plan }),
      ...(command.receipts === true && { receipts: true }),
    },
  };
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
  const rateCards = changedCards(state, changes.rateCards ?? {});
  const coming = state.nextPlan === null ? state.plan : state.nextPlan.plan;
  return {
    ...(profile !== undefined && { profile }),
    ...(overdraft !== undefined && overdraft !== state.overdraft && { overdraft }),
    ...(rateLimit !== undefined &&
      !isSameLimit(rateLimit, state.rateLimit) && { rate_limit: rateLimitTerms(rateLimit) }),
    ...(lowBalance !== undefined && lowBalance !== state.lowBalance && { low_balance: lowBalance }),
    ...(rateCard !== undefined && rateCard !== state.rateCard && { rate_card: rateCard }),
    ...(rateCards !== undefined && { rate_cards: rateCards }),
    ...(plan !== undefined && !isSamePlan(plan, coming) && { plan }),
    ...(receipts !== undefined && receipts !== (state.receipts ?? false) && { receipts }),
  };
}

/** An overdraft may be put below the present debt: then calls are refused until it is repaid. */
export function changeAccount(
  state: AccountState,
  command: ChangeAccount,
  at: number,
): AccountLevelEvent | Refusal | null {
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
): AccountLevelEvent | Refusal | null {
  if (state.closedAt === null)
    return conflict('Only a closed account can be erased: close it first.');
  if (state.erasedAt !== null) return null;
  const { unbilled, refunds, reissues } = state.billing;
  if (unbilled.length + refunds.length + reissues.length > 0) {
    return conflict('A document is still to be issued for the account: wait for it.');
  }
  return { type: 'ProfileErased', at, data: { ...origin, profiles } };
}

export function refuseClock(state: AccountState, command: MoveTestClock): Refusal | null {
  if (state.testClock === null)
    return conflict(
      'The account was not opened with a test clock: open another with `test_clock`.',
    );
  if (command.now < state.testClock) {
    return conflict(
      `The test clock stands at ${formatInstant(state.testClock)} and never goes back: send that or later.`,
    );
  }
  if (command.now - state.testClock > MAX_CLOCK_STEP_DAYS * DAY_MS) {
    const latest = formatInstant(state.testClock + MAX_CLOCK_STEP_DAYS * DAY_MS);
    return conflict(
      `A test clock moves at most ${MAX_CLOCK_STEP_DAYS} days a step: to ${latest} now, then further.`,
    );
  }
  return null;
}

export function moveTestClock(
  state: AccountState,
  { origin, now }: MoveTestClock,
  at: number,
): AccountLevelEvent | null {
  if (now === state.testClock) return null;
  return { type: 'TestClockMoved', at, data: { ...origin, now: formatInstant(now) } };
}

/** Events of an account as a whole. */
export const ACCOUNT_EVENTS = {
  AccountOpened: commanded<AccountOpened>({
    effect: opened,
    command: opening,
    page: { kind: 'account' },
    story: {
      title: 'Account opened',
      details: ({ currency }, { text }) => `in ${text(currency)}`,
      tone: 'good',
    },
  }),
  AccountChanged: commanded<AccountChanged>({
    effect: changed,
    command: changing,
    page: { kind: 'account' },
    story: { title: 'Terms changed', details: changedTerms },
  }),
  AccountSuspended: commanded<Origin>({
    effect: () => ({ suspended: true }),
    command: (data): SuspendAccount => ({ command: 'suspend-account', origin: originOf(data) }),
    page: { kind: 'account' },
    story: { title: 'Suspended', tone: 'bad' },
  }),
  AccountResumed: commanded<Origin>({
    effect: () => ({ suspended: false }),
    command: (data): SuspendAccount => ({ command: 'resume-account', origin: originOf(data) }),
    page: { kind: 'account' },
    story: { title: 'Resumed', tone: 'good' },
  }),
  AccountClosed: commanded<Origin, 'account.closed'>({
    // Whoever has a key of a closed account can do nothing with it any more.
    effect: (_, __, at) => ({ closedAt: at, apiKeys: [] }),
    command: (data): CloseAccount => ({ command: 'close-account', origin: originOf(data) }),
    notification: { type: 'account.closed', data: () => ({}) },
    page: { kind: 'account' },
    story: { title: 'Closed', tone: 'bad' },
  }),
  ProfileErased: commanded<ProfileErased>({
    effect: (_, __, at) => ({ erasedAt: at }),
    command: (data): EraseProfile => ({
      command: 'erase-profile',
      origin: originOf(data),
      profiles: data.profiles,
    }),
    page: { kind: 'account' },
    story: { title: 'Personal data erased', tone: 'bad' },
  }),
  TestClockMoved: commanded<TestClockMoved>({
    effect: (_, { now }) => ({ testClock: Date.parse(now) }),
    command: (data): MoveTestClock => ({
      command: 'move-test-clock',
      origin: originOf(data),
      now: Date.parse(data.now),
    }),
    page: { kind: 'clock', data: ({ now }) => ({ now }) },
    story: { title: 'Test clock moved', details: ({ now }, { moment }) => `to ${moment(now)}` },
  }),
};

function opening(data: AccountOpened): OpenAccount {
  const { profile, currency, overdraft, test, plan = null, receipts } = data;
  return {
    command: 'open-account',
    origin: originOf(data),
    profile,
    currency,
    overdraft,
    test,
    testClock: instant(data.test_clock),
    rateLimit: rateLimit(data.rate_limit),
    lowBalance: data.low_balance,
    rateCard: data.rate_card,
    rateCards: data.rate_cards,
    plan,
    receipts,
  };
}

function changing(data: AccountChanged): ChangeAccount {
  const { profile, overdraft, rate_limit: limit, plan, receipts } = data;
  const { low_balance: lowBalance, rate_card: rateCard, rate_cards: rateCards } = data;
  return {
    command: 'change-account',
    origin: originOf(data),
    changes: {
      ...(profile !== undefined && { profile }),
      ...(overdraft !== undefined && { overdraft }),
      ...(limit !== undefined && { rateLimit: rateLimit(limit) }),
      ...(lowBalance !== undefined && { lowBalance }),
      ...(rateCard !== undefined && { rateCard }),
      ...(rateCards !== undefined && { rateCards }),
      ...(plan !== undefined && { plan }),
      ...(receipts !== undefined && { receipts }),
    },
  };
}

const TERMS: Readonly<Record<Exclude<keyof AccountChanged, keyof Origin>, string>> = {
  profile: 'name',
  overdraft: 'overdraft',
  rate_limit: 'rate limit',
  low_balance: 'warning below',
  rate_card: 'rate card',
  rate_cards: 'rate cards of products',
  plan: 'plan from the next month on',
  receipts: 'receipts',
};

function changedTerms(data: Partial<AccountChanged>): string {
  const changes = Object.entries(TERMS).filter(([name]) => name in data);
  return changes.map(([, words]) => words).join(', ');
}

export type AccountLevelEvent = EventsOf<typeof ACCOUNT_EVENTS>;
