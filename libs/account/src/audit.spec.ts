import { parseResourcePath } from '#rating/resource-path.js';
import { auditEvent, auditState, type AuditTerms, type PrecedingFacts } from './audit.js';
import type { Command } from './commands.js';
import type { Deviation } from './deviation.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { type AccountState, initialState, recall } from './state.js';
import {
  adjust,
  after,
  allBeauty,
  callAt,
  changeAccount,
  DAY,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  plan,
  revokeApiKey,
  setBudget,
  terms,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

const auditTerms: AuditTerms = {
  ...terms,
  resourceOf: (key) => {
    const parsed = parseResourcePath(key);
    return parsed.outcome === 'resource' ? parsed.resource : undefined;
  },
};

type Step = readonly [at: number, command: Command];

/** Every event of a history, with the state before it and whether its key had been opened. */
function recorded(steps: readonly Step[]) {
  const opened = new Set<string>();
  const records: { state: AccountState; event: AccountEvent; opened: boolean }[] = [];
  let state = initialState;
  for (const [at, command] of steps) {
    const key = command.command === 'make-call' ? command.request.key : '';
    const known = opened.has(key) ? recall(state, [key]) : state;
    const { events, refusal } = when(known, at, command);
    if (refusal !== null && events.length === 0) throw new Error(refusal.reason);
    for (const event of events) {
      records.push({ state, event, opened: event.type === 'CallMade' && opened.has(key) });
      if (event.type === 'CallMade') opened.add(key);
      state = evolve(state, event);
    }
  }
  return records;
}

const TEST_CLOCK = { test: true, testClock: TUESDAY };
const HISTORY: readonly Step[] = [
  [TUESDAY, openAccount()],
  [TUESDAY, issueApiKey()],
  [TUESDAY, grantCredits(200_000)],
  [TUESDAY, grantCredits(60_000, { expiresAt: TUESDAY + DAY, priority: 1 })],
  [TUESDAY, callAt(TUESDAY)],
  [TUESDAY + HOUR, callAt(TUESDAY + HOUR, { tags: { team: 'nails' } })],
  [TUESDAY + 2 * HOUR, adjust(10, { callId: 'call-1', charged: 10 })],
  [TUESDAY + 2 * HOUR, adjust(-5)],
  [TUESDAY + 2 * DAY, callAt(TUESDAY + 2 * DAY)],
  [TUESDAY + 7 * DAY, callAt(TUESDAY + 7 * DAY)],
  [
    TUESDAY + 8 * DAY,
    callAt(TUESDAY + 8 * DAY, { key: '/v1/2026w48/cat1/trends/all/popindex/us/beauty' }),
  ],
  [TUESDAY + 8 * DAY, { command: 'suspend-account', origin }],
  [TUESDAY + 9 * DAY, { command: 'resume-account', origin }],
  [TUESDAY + 9 * DAY, revokeApiKey('key-1')],
];

/** A call that crosses two thresholds and makes the balance low; a refused one; a month's end. */
const SPENDING: readonly Step[] = [
  [TUESDAY, openAccount({ plan, lowBalance: 20_000, overdraft: 90_000 })],
  [TUESDAY, issueApiKey()],
  [TUESDAY, changeAccount({ lowBalance: 15_000, plan: { ...plan, monthly_fee: 7 } })],
  [TUESDAY, setBudget(60_000)],
  [TUESDAY, setBudget(50_035, { budgetId: 'budget-2', action: 'block', thresholds: [] })],
  [TUESDAY, callAt(TUESDAY)],
  [TUESDAY, callAt(TUESDAY, { resource: { ...allBeauty, region: 'fr' } })],
  [TUESDAY, { command: 'remove-budget', origin, budgetId: 'budget-2' }],
  [TUESDAY + DAY, callAt(TUESDAY + DAY, { resource: { ...allBeauty, region: 'fr' } })],
  [TUESDAY + 7 * DAY, voidGrant('0197c000-0000-8000-8000-000000202612')],
  [TUESDAY + 7 * DAY, { command: 'close-account', origin }],
  [TUESDAY + 7 * DAY, { command: 'erase-profile', origin, profiles: ['profile-1'] }],
  [TUESDAY + 40 * DAY, { command: 'tick' }],
];
const CLOCK_HISTORY: readonly Step[] = [
  [0, openAccount(TEST_CLOCK)],
  [0, issueApiKey()],
  [0, grantCredits(200_000, { expiresAt: TUESDAY + DAY })],
  [0, callAt(TUESDAY)],
  [0, { command: 'move-test-clock', origin, now: TUESDAY + 8 * DAY }],
];

const RECORDS = recorded(HISTORY);
const SPENT = recorded(SPENDING);

/** The finding of an audit for the first event of a type after its members were changed. */
function changed(
  type: AccountEvent['type'],
  changes: object,
  columns: Partial<Pick<AccountEvent, 'at'>> = {},
  nth = 0,
  records = RECORDS,
): Deviation | null {
  const record = records.filter(({ event }) => event.type === type)[nth];
  if (record === undefined) throw new Error(`There is no ${type}.`);
  const data = { ...record.event.data, ...changes };
  const event = { ...record.event, ...columns, data } as AccountEvent;
  return auditEvent(record.state, event, record.opened, auditTerms);
}

describe('an event that was decided', () => {
  it.each([
    ['of an account in real time', HISTORY],
    ['of an account with a test clock', CLOCK_HISTORY],
    ['of an account with a plan, budgets and alerts', SPENDING],
  ])('is what would be decided again: %s', (_name, history) => {
    const records = recorded(history);
    expect(new Set(records.map(({ event }) => event.type)).size).toBeGreaterThan(4);
    for (const { state, event, opened } of records) {
      expect([event.type, auditEvent(state, event, opened, auditTerms)]).toEqual([
        event.type,
        null,
      ]);
    }
  });

  it('is the same after it was written down and read', () => {
    for (const { state, event, opened } of RECORDS) {
      const read = JSON.parse(JSON.stringify(event)) as AccountEvent;
      expect(auditEvent(state, read, opened, auditTerms)).toBeNull();
    }
  });

  it('may bear a label that a later time zone database has moved by hours', () => {
    expect(changed('CallMade', { window: '2026w47' })).toBeNull();
    expect(changed('CallMade', { window: '2026w46' })).toEqual({
      member: 'window',
      expected: '2026w48',
      found: '2026w46',
    });
  });
});

describe('a record that nobody decided so', () => {
  it.each<[string, object, Deviation['member']]>([
    ['kind', { kind: 'repeat' }, 'kind'],
    ['call cost', { cost: [9, 49_990] }, 'cost'],
    ['data cost', { cost: [10, 49_989] }, 'cost'],
    ['rate card', { card: 2 }, 'card'],
    ['rule', { rule: 'per row' }, 'rule'],
    ['draws', { draws: [[1, 50_000]] }, 'draws'],
    ['balance', { balance: 0 }, 'balance'],
    ['key', { key: '/v1/2026w48/nothing' }, 'key'],
    ['API key', { api_key: 2 }, 'decision'],
    ['rows', { rows: -1 }, 'rows'],
    ['member more', { discount: 5 }, 'discount'],
    ['member less', { rule: undefined }, 'rule'],
  ])('of a call differs in its %s', (_what, changes, member) => {
    expect(changed('CallMade', changes)?.member).toBe(member);
  });

  it.each<[AccountEvent['type'], object, string]>([
    ['CreditsGranted', { grant: 2 }, 'grant'],
    ['CreditsGranted', { credits: 1 }, 'balance'],
    ['CreditsGranted', { repaid: 1 }, 'repaid'],
    ['CreditsGranted', { expires_at: '2020-01-01T00:00:00Z' }, 'decision'],
    ['Adjusted', { credits: 11 }, 'balance'],
    ['Adjusted', { draws: [[1, 1]] }, 'draws'],
    ['Adjusted', { grant: 9 }, 'grant'],
    ['GrantExpired', { credits: 1 }, 'credits'],
    ['GrantExpired', { grant: 1 }, 'grant'],
    ['ApiKeyIssued', { api_key: 2 }, 'api_key'],
    ['ApiKeyRevoked', { key_id: 'key-2' }, 'decision'],
    ['ApiKeyRevoked', { api_key: 2 }, 'api_key'],
  ])('%s with %j differs in %s', (type, changes, member) => {
    expect(changed(type, changes)?.member).toBe(member);
  });

  it.each<[AccountEvent['type'], object, string]>([
    ['AccountChanged', { low_balance: 20_000 }, 'low_balance'],
    ['AccountClosed', { more: 1 }, 'more'],
    ['BalanceLow', { balance: 9_999 }, 'balance'],
    ['BalanceLow', { low_balance: 1 }, 'low_balance'],
    ['BudgetBlocked', { budget_id: 'budget-1' }, 'type'],
    ['BudgetBlocked', { required_credits: 35 }, 'type'],
    ['BudgetBlocked', { spent: 1 }, 'spent'],
    ['BudgetRemoved', { budget_id: 'budget-9' }, 'decision'],
    ['BudgetSet', { api_key: 2 }, 'decision'],
    ['BudgetThresholdCrossed', { threshold: 80 }, 'threshold'],
    ['BudgetThresholdCrossed', { spent: 49_999 }, 'spent'],
    ['BudgetThresholdCrossed', { period: '2026-10' }, 'period'],
    ['GrantVoided', { credits: 1 }, 'credits'],
    ['GrantVoided', { grant_id: 'grant-9' }, 'type'],
    ['MonthClosed', { overage: 0 }, 'overage'],
    ['MonthClosed', { calls: 9 }, 'calls'],
    ['MonthClosed', { month: '2026-10' }, 'month'],
    ['MonthClosed', { plan: null }, 'plan'],
    ['WindowClosed', { base_calls: 0 }, 'base_calls'],
  ])('of an account with a plan: %s with %j differs in %s', (type, changes, member) => {
    expect(changed(type, changes, {}, 0, SPENT)?.member).toBe(member);
  });

  it('is a grant of included credits that nobody owes', () => {
    expect(changed('CreditsGranted', { kind: 'included' })?.expected).toBeNull();
    expect(changed('CreditsGranted', { credits: 7 }, {}, 0, SPENT)?.member).toBe('credits');
  });

  it('is one that leaves out an alert that was due before', () => {
    const low = SPENT.findIndex(({ event }) => event.type === 'BalanceLow');
    const [record, next] = [SPENT[low], SPENT[low + 1]];
    if (record === undefined || next === undefined) throw new Error('There is no alert.');
    expect(auditEvent(record.state, next.event, false, auditTerms)).toEqual({
      member: 'type',
      expected: 'BalanceLow',
      found: next.event.type,
    });
  });

  it('names another call, or another head, than the log holds before it', () => {
    const audit = (type: AccountEvent['type'], preceding: PrecedingFacts, data: object = {}) => {
      const record = SPENT.find(({ event }) => event.type === type);
      if (record === undefined) throw new Error(`There is no ${type}.`);
      const event = { ...record.event, data: { ...record.event.data, ...data } } as AccountEvent;
      return auditEvent(record.state, event, false, auditTerms, preceding);
    };
    const head = 'ab';
    expect(audit('BalanceLow', { callId: 'call-1', head })).toBeNull();
    expect(audit('BalanceLow', { callId: 'call-2', head })?.member).toBe('call_id');
    expect(audit('MonthClosed', { callId: null, head }, { account_head: head })).toBeNull();
    expect(audit('MonthClosed', { callId: null, head }, { account_head: 'cd' })?.member).toBe(
      'account_head',
    );
    expect(audit('MonthClosed', { callId: null, head })?.member).toBe('account_head');
  });

  it('is a call that the account could not pay, or that a suspended one made', () => {
    const call = RECORDS.find(({ event }) => event.type === 'CallMade');
    if (call === undefined) throw new Error('There is no call.');
    const audit = (state: AccountState) => auditEvent(state, call.event, false, auditTerms);
    expect(audit({ ...call.state, suspended: true })?.expected).toBe('refused: account-suspended');
    const poor = { ...call.state, overdraft: -300_000 };
    expect(audit(poor)?.expected).toBe('refused: out-of-credits');
    const block = setBudget(10, { action: 'block' });
    const limited = after(call.state, TUESDAY, block);
    expect(audit(limited)?.expected).toBe('refused: budget-exhausted');
    expect(auditEvent(call.state, call.event, true, auditTerms)).toEqual({
      member: 'kind',
      expected: 'repeat',
      found: 'base',
    });
  });

  it('is one that comes before what had fallen due, or out of the order of time', () => {
    expect(changed('CallMade', {}, { at: TUESDAY + 2 * DAY }, 0)).toEqual({
      member: 'type',
      expected: 'GrantExpired',
      found: 'CallMade',
    });
    expect(changed('GrantExpired', {}, { at: TUESDAY + DAY + 1 })?.member).toBe('at');
    expect(changed('CallMade', {}, { at: TUESDAY - 1 }, 1)?.member).toBe('at');
  });

  it('is a second opening, or a suspension of the suspended', () => {
    const opening = RECORDS[0]?.event;
    const suspension = RECORDS.find(({ event }) => event.type === 'AccountSuspended');
    if (opening === undefined || suspension === undefined) throw new Error('Too little happened.');
    const { state, event } = suspension;
    expect(auditEvent(state, { ...opening, at: event.at }, false, auditTerms)?.member).toBe(
      'decision',
    );
    const twice = evolve(state, event);
    expect(auditEvent(twice, event, false, auditTerms)).toMatchObject({ member: 'type' });
  });
});

describe('a state', () => {
  const [last] = RECORDS.slice(-1);
  const state = last === undefined ? initialState : last.state;

  it('is in balance after every event', () => {
    for (const record of RECORDS) expect(auditState(record.state)).toBeNull();
  });

  it.each<[string, Partial<AccountState>, string]>([
    ['its balance is not the sum of what happened', { balance: state.balance + 1 }, 'balance'],
    ['its grants hold less than its balance', { grants: [] }, 'left in grants'],
  ])('is out of it when %s', (_what, changes, member) => {
    expect(auditState({ ...state, ...changes })?.member).toBe(member);
  });
});
