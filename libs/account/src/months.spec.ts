import { Calendar } from '#calendar/calendar.js';
import { advance, evolveAll } from './advance.js';
import type { AccountEvent } from './events.js';
import { includedCredits, withHead } from './months.js';
import { type AccountState, initialState } from './state.js';
import {
  adjust,
  after,
  callAt,
  changeAccount,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  outline,
  plan,
  prepaid,
  terms,
  TUESDAY,
  when,
} from './scenario.suite.js';

const { calendar } = terms;
/** Also a Tuesday: November and window 2026w48 end together. */
const DECEMBER = Date.UTC(2026, 11, 1);
const JANUARY = Date.UTC(2027, 0, 1);
const NEXT_YEAR = DECEMBER + 365 * DAY;

function planned(changes = {}): AccountState {
  const opening = openAccount({ plan, overdraft: null, ...changes });
  return given([TUESDAY, opening], [TUESDAY, issueApiKey()]);
}

function closes(events: readonly AccountEvent[]) {
  return events.flatMap((event) => (event.type === 'MonthClosed' ? [event.data] : []));
}

describe('the end of a month', () => {
  it('closes it with what it cost, at its first instant and never before', () => {
    const state = after(prepaid(60_000), TUESDAY, callAt(TUESDAY));
    expect(advance(state, DECEMBER - 1, calendar)).toEqual([]);
    const [closed] = advance(state, DECEMBER, calendar);
    expect(closed).toEqual({
      type: 'MonthClosed',
      at: DECEMBER,
      data: {
        month: '2026-11',
        plan: null,
        calls: 1,
        credits: 50_000,
        opening_balance: 0,
        balance_before: 10_000,
        balance: 10_000,
        overage: 0,
        carried: 0,
        grants: [[1, 10_000]],
        totals: {
          granted: 60_000,
          adjusted: 0,
          charged: 50_000,
          expired: 0,
          voided: 0,
          billed: 0,
        },
        account_version: { from: 1, to: 4 },
      },
    });
  });

  it('comes in the zone of billing', () => {
    const called = after(prepaid(60_000), TUESDAY, callAt(TUESDAY));
    const local = advance(called, DECEMBER + DAY, new Calendar('America/New_York'));
    expect(outline(local)).toEqual([
      { type: 'MonthClosed', at: '2026-12-01T05:00:00.000Z' },
      { type: 'WindowClosed', at: '2026-12-01T05:00:00.000Z' },
    ]);
  });

  it('leaves no event when nothing has happened since the last one', () => {
    const state = prepaid(60_000);
    expect(outline(advance(state, NEXT_YEAR, calendar), 'month')).toEqual([
      { type: 'MonthClosed', at: '2026-12-01T00:00:00.000Z', month: '2026-11' },
    ]);
  });

  it('is closed again once something has happened, and records the versions since', () => {
    const closed = evolveAll(prepaid(60_000), advance(prepaid(60_000), NEXT_YEAR, calendar));
    const later = after(closed, NEXT_YEAR, grantCredits(5));
    expect(closes(advance(later, NEXT_YEAR + 60 * DAY, calendar))).toMatchObject([
      {
        month: '2027-12',
        opening_balance: 60_000,
        balance: 60_005,
        account_version: { from: 5, to: 5 },
      },
    ]);
  });

  it('carries a debt on without a plan', () => {
    const state = after(prepaid(1, { overdraft: 100_000 }), TUESDAY, callAt(TUESDAY));
    expect(closes(advance(state, DECEMBER, calendar))).toMatchObject([
      { balance_before: -49_999, balance: -49_999, overage: 0, carried: 49_999 },
    ]);
  });

  it('comes after the expiries and before the end of the window of the same moment', () => {
    const opening = [
      [TUESDAY, openAccount()],
      [TUESDAY, issueApiKey()],
    ] as const;
    const expiring = grantCredits(60_000, { expiresAt: DECEMBER });
    const state = given(...opening, [TUESDAY, expiring], [TUESDAY, callAt(TUESDAY)]);
    const events = advance(state, DECEMBER, calendar);
    expect(outline(events, 'credits', 'balance', 'calls', 'base_calls')).toEqual([
      { type: 'GrantExpired', at: '2026-12-01T00:00:00.000Z', credits: 10_000, balance: 0 },
      {
        type: 'MonthClosed',
        at: '2026-12-01T00:00:00.000Z',
        calls: 1,
        credits: 50_000,
        balance: 0,
      },
      {
        type: 'WindowClosed',
        at: '2026-12-01T00:00:00.000Z',
        calls: 1,
        base_calls: 1,
        credits: 50_000,
      },
    ]);
  });

  it('is sealed by the head of the chain before it, and nothing else is', () => {
    const [closed] = advance(prepaid(1), DECEMBER, calendar);
    if (closed === undefined) throw new Error('Nothing was closed.');
    expect(withHead(closed, 'ab').data).toEqual({ ...closed.data, account_head: 'ab' });
    const suspended: AccountEvent = { type: 'AccountSuspended', at: 0, data: origin };
    expect(withHead(suspended, 'ab')).toBe(suspended);
  });
});

describe('the end of a window', () => {
  it('sums up what was called in it, once', () => {
    const MONDAY = TUESDAY - DAY;
    const state = given(
      [MONDAY, openAccount({ overdraft: null })],
      [MONDAY, issueApiKey()],
      [MONDAY, callAt(MONDAY)],
      [MONDAY + HOUR, callAt(MONDAY + HOUR)],
    );
    const events = advance(state, TUESDAY + DAY, calendar);
    expect(events).toEqual([
      {
        type: 'WindowClosed',
        at: TUESDAY - 9 * HOUR,
        data: { window: '2026w47', calls: 2, base_calls: 1, credits: 50_010 },
      },
    ]);
    expect(advance(evolveAll(state, events), DECEMBER - 1, calendar)).toEqual([]);
  });

  it('leaves no event when nobody has called', () => {
    expect(advance(prepaid(1), DECEMBER - 1, calendar)).toEqual([]);
  });

  it('opens no month: an account that has stopped calling comes to rest', () => {
    const state = after(prepaid(60_000), TUESDAY, callAt(TUESDAY));
    const events = advance(state, NEXT_YEAR, calendar);
    expect(events.map(({ type }) => type)).toEqual(['MonthClosed', 'WindowClosed']);
  });
});

describe('a plan', () => {
  it('gives its credits with the opening, and again each month', () => {
    const opened = when(initialState, TUESDAY, openAccount({ plan, overdraft: null }));
    expect(outline(opened.events, 'credits', 'kind', 'expires_at', 'priority', 'grant_id')).toEqual(
      [
        { type: 'AccountOpened', at: '2026-11-24T09:00:00.000Z' },
        {
          type: 'CreditsGranted',
          at: '2026-11-24T09:00:00.000Z',
          credits: 60_000,
          kind: 'included',
          expires_at: '2026-12-01T00:00:00Z',
          priority: 50,
          grant_id: '0197c000-0000-8000-8000-000000202611',
        },
      ],
    );
    expect(opened.own).toBe(0);
    const state = evolveAll(initialState, opened.events);
    expect(outline(advance(state, DECEMBER, calendar), 'credits', 'balance')).toEqual([
      { type: 'GrantExpired', at: '2026-12-01T00:00:00.000Z', credits: 60_000, balance: 0 },
      { type: 'MonthClosed', at: '2026-12-01T00:00:00.000Z', credits: 0, balance: 0 },
      { type: 'CreditsGranted', at: '2026-12-01T00:00:00.000Z', credits: 60_000, balance: 60_000 },
    ]);
  });

  it('bills what the balance is below zero, exactly that, and brings it to zero', () => {
    const later = TUESDAY + HOUR;
    const other = callAt(later, { key: '/v1/2026w40/cat1/trends/all/popindex/us/beauty' });
    const state = after(after(planned(), TUESDAY, callAt(TUESDAY)), later, other);
    expect(state.balance).toBe(-40_000);
    const events = advance(state, DECEMBER, calendar);
    expect(closes(events)).toMatchObject([
      { plan, credits: 100_000, balance_before: -40_000, overage: 40_000, balance: 0, carried: 0 },
    ]);
    const closed = evolveAll(state, events);
    expect([closed.balance, closed.totals.billed]).toEqual([60_000, 40_000]);
  });

  it('bills its fee also for a month without anything else', () => {
    const months = closes(advance(planned(), NEXT_YEAR, calendar)).map(({ month }) => month);
    expect(months).toHaveLength(13);
    expect(months.slice(0, 3)).toEqual(['2026-11', '2026-12', '2027-01']);
  });

  it('without included credits gives none', () => {
    const state = planned({ plan: { ...plan, included_credits: 0 } });
    expect(advance(state, DECEMBER, calendar).map(({ type }) => type)).toEqual(['MonthClosed']);
  });

  it('repays an old debt first, like every grant', () => {
    const indebted = after(prepaid(1, { overdraft: 100_000 }), TUESDAY, callAt(TUESDAY));
    const state = after(indebted, TUESDAY + HOUR, changeAccount({ plan }));
    const events = advance(state, DECEMBER, calendar);
    expect(outline(events.slice(0, 2), 'plan', 'carried', 'repaid', 'balance')).toEqual([
      {
        type: 'MonthClosed',
        at: '2026-12-01T00:00:00.000Z',
        plan: null,
        carried: 49_999,
        balance: -49_999,
      },
      { type: 'CreditsGranted', at: '2026-12-01T00:00:00.000Z', repaid: 49_999, balance: 10_001 },
    ]);
  });

  it('is in force from the next month on when it is changed', () => {
    const dearer = { ...plan, monthly_fee: 9_900 };
    const state = after(planned(), TUESDAY, changeAccount({ plan: dearer }));
    const fees = closes(advance(state, JANUARY, calendar)).map((data) => data.plan?.monthly_fee);
    expect(fees).toEqual([4_900, 9_900]);
  });

  it('is over with the month when it is taken away', () => {
    const state = after(planned(), TUESDAY, changeAccount({ plan: null }));
    expect(advance(state, NEXT_YEAR, calendar).map(({ type }) => type)).toEqual([
      'GrantExpired',
      'MonthClosed',
    ]);
  });

  it('is over with the month in which the account is closed, which it still bills', () => {
    const state = after(planned(), TUESDAY, { command: 'close-account', origin });
    const events = advance(state, NEXT_YEAR, calendar);
    expect(closes(events)).toMatchObject([{ month: '2026-11', plan }]);
    expect(events.map(({ type }) => type)).toEqual(['GrantExpired', 'MonthClosed']);
  });

  it('never gives more than an account can hold', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const full = after(planned(), TUESDAY, grantCredits(most - 60_000 - 7));
    const state = evolveAll(full, advance(full, DECEMBER, calendar));
    expect(state.totals.granted).toBe(most);
    expect(after(state, DECEMBER, adjust(-5)).totals.granted).toBe(most);
  });

  it('is asked for its credits only while it is in force', () => {
    expect(() => includedCredits(prepaid(1), calendar)).toThrow('No plan');
  });
});

describe('a test clock that steps over a year', () => {
  it('yields every month, window and expiry of it in the order of time', () => {
    const opened = given(
      [0, openAccount({ plan, overdraft: null, test: true, testClock: TUESDAY })],
      [0, issueApiKey()],
    );
    const state = after(opened, 0, callAt(TUESDAY, { notAfter: Infinity }));
    const now = TUESDAY + 400 * DAY;
    const { events, own } = when(state, 0, { command: 'move-test-clock', origin, now });
    const moments = events.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(closes(events)).toHaveLength(13);
    expect(events.filter(({ type }) => type === 'WindowClosed')).toHaveLength(1);
    expect(own).toBe(events.length - 1);
  });
});
