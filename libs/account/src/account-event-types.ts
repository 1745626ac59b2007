import type { ChangeAccount, OpenAccount } from './commands.js';
import { changed, opened, rateLimit } from './evolve-account.js';
import { commanded, instant, originOf } from './event-type.js';
import type { AccountChanged, AccountOpened, Origin } from './events.js';
import type { ProfileErased, TestClockMoved } from './events.js';

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
    command: (data) => ({ command: 'suspend-account', origin: originOf(data) }),
    page: { kind: 'account' },
    story: { title: 'Suspended', tone: 'bad' },
  }),
  AccountResumed: commanded<Origin>({
    effect: () => ({ suspended: false }),
    command: (data) => ({ command: 'resume-account', origin: originOf(data) }),
    page: { kind: 'account' },
    story: { title: 'Resumed', tone: 'good' },
  }),
  AccountClosed: commanded<Origin, 'account.closed'>({
    // Whoever has a key of a closed account can do nothing with it any more.
    effect: (_, __, at) => ({ closedAt: at, apiKeys: [] }),
    command: (data) => ({ command: 'close-account', origin: originOf(data) }),
    notification: { type: 'account.closed', data: () => ({}) },
    page: { kind: 'account' },
    story: { title: 'Closed', tone: 'bad' },
  }),
  ProfileErased: commanded<ProfileErased>({
    effect: (_, __, at) => ({ erasedAt: at }),
    command: (data) => ({
      command: 'erase-profile',
      origin: originOf(data),
      profiles: data.profiles,
    }),
    page: { kind: 'account' },
    story: { title: 'Personal data erased', tone: 'bad' },
  }),
  TestClockMoved: commanded<TestClockMoved>({
    effect: (_, { now }) => ({ testClock: Date.parse(now) }),
    command: (data) => ({
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
    plan,
    receipts,
  };
}

function changing(data: AccountChanged): ChangeAccount {
  const { profile, overdraft, rate_limit: limit, plan, receipts } = data;
  const { low_balance: lowBalance, rate_card: rateCard } = data;
  return {
    command: 'change-account',
    origin: originOf(data),
    changes: {
      ...(profile !== undefined && { profile }),
      ...(overdraft !== undefined && { overdraft }),
      ...(limit !== undefined && { rateLimit: rateLimit(limit) }),
      ...(lowBalance !== undefined && { lowBalance }),
      ...(rateCard !== undefined && { rateCard }),
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
  plan: 'plan from the next month on',
  receipts: 'receipts',
};

function changedTerms(data: Partial<AccountChanged>): string {
  const changes = Object.entries(TERMS).filter(([name]) => name in data);
  return changes.map(([, words]) => words).join(', ');
}
