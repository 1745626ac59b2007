import { advance, evolveAll } from './advance.js';
import type { AccountEvent } from './events.js';
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
  setBudget,
  terms,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';
import { initialState } from './state.js';

const { calendar } = terms;
const DECEMBER = Date.UTC(2026, 11, 1);
const lowBalance = 20_000;

function typesOf(events: readonly AccountEvent[]): string[] {
  return events.map(({ type }) => type);
}

describe('a low balance', () => {
  const state = prepaid(60_000, { lowBalance });
  const low = after(state, TUESDAY, callAt(TUESDAY));

  it('is reported with the call that takes it there', () => {
    const { events } = when(state, TUESDAY, callAt(TUESDAY, { callId: 'call-7' }));
    expect(events.slice(1)).toEqual([
      {
        type: 'BalanceLow',
        at: TUESDAY,
        data: { low_balance: 20_000, balance: 10_000, call_id: 'call-7' },
      },
    ]);
  });

  it('is reported once', () => {
    expect(typesOf(when(low, TUESDAY, callAt(TUESDAY)).events)).toEqual(['CallMade']);
  });

  it('is reported again once the balance has been as high', () => {
    const higher = after(low, TUESDAY, adjust(9_999));
    expect(typesOf(when(higher, TUESDAY, adjust(-1)).events)).toEqual(['Adjusted']);
    const back = after(low, TUESDAY, adjust(10_000));
    expect(typesOf(when(back, TUESDAY, adjust(-1)).events)).toEqual(['Adjusted', 'BalanceLow']);
  });

  it('is reported after an expiry, at its moment and for no call', () => {
    const expiring = given(
      [TUESDAY, openAccount({ lowBalance })],
      [TUESDAY, grantCredits(60_000, { expiresAt: TUESDAY + HOUR })],
    );
    expect(outline(advance(expiring, TUESDAY + DAY, calendar), 'call_id')).toEqual([
      { type: 'GrantExpired', at: '2026-11-24T10:00:00.000Z' },
      { type: 'BalanceLow', at: '2026-11-24T10:00:00.000Z', call_id: null },
    ]);
  });

  it('is reported after a grant is voided, and after a change that makes the balance low', () => {
    const voided = when(state, TUESDAY, voidGrant('grant-of-60000'));
    expect(typesOf(voided.events)).toEqual(['GrantVoided', 'BalanceLow']);
    const changed = when(prepaid(60_000), TUESDAY, changeAccount({ lowBalance: 60_001 }));
    expect(typesOf(changed.events)).toEqual(['AccountChanged', 'BalanceLow']);
  });

  it('is not reported for an account that has had no credits yet', () => {
    const opened = when(initialState, TUESDAY, openAccount({ lowBalance }));
    expect(typesOf(opened.events)).toEqual(['AccountOpened']);
    const first = evolveAll(initialState, opened.events);
    expect(typesOf(when(first, TUESDAY, grantCredits(5)).events)).toEqual(['CreditsGranted']);
  });

  it('that is exactly as high as what is called low is not low', () => {
    const exact = prepaid(70_000, { lowBalance });
    expect(typesOf(when(exact, TUESDAY, callAt(TUESDAY)).events)).toEqual(['CallMade']);
  });

  it('that the credits of the next month repair in the same moment is not reported', () => {
    const planned = given([TUESDAY, openAccount({ lowBalance, plan, overdraft: null })]);
    expect(typesOf(advance(planned, DECEMBER, calendar))).toEqual([
      'GrantExpired',
      'MonthClosed',
      'CreditsGranted',
    ]);
  });

  it('is no longer reported when no balance counts as low any more', () => {
    const off = after(state, TUESDAY, changeAccount({ lowBalance: null }));
    expect(typesOf(when(off, TUESDAY, callAt(TUESDAY)).events)).toEqual(['CallMade']);
  });
});

describe('a forecast past the limit', () => {
  /** Three days into the month of a budget: from Sunday, 1 November, to Tuesday. */
  const START = Date.UTC(2026, 10, 1);
  const opening = given(
    [START, openAccount({ overdraft: null })],
    [START, issueApiKey()],
    [START, setBudget(1_000_000, { thresholds: [] })],
  );
  const spending = (at: number) => when(opening, at, callAt(at, { callId: 'call-7' }));

  it('is reported with a call, once the period is a day old and 5 % are spent', () => {
    const [call, alert] = spending(START + DAY).events;
    expect(call?.type).toBe('CallMade');
    expect(alert).toEqual({
      type: 'BudgetForecastExceeded',
      at: START + DAY,
      data: {
        budget_id: 'budget-1',
        period: '2026-11',
        limit: 1_000_000,
        spent: 50_000,
        exhausted_at: '2026-11-21T00:00:00Z',
        call_id: 'call-7',
      },
    });
  });

  it('is not reported earlier, nor at a pace that the limit will outlast', () => {
    expect(typesOf(spending(START + DAY - 1).events)).toEqual(['CallMade']);
    expect(typesOf(spending(START + 2 * DAY).events)).toEqual(['CallMade']);
  });

  it('is not reported before 5 % are spent, nor after all of it', () => {
    const later = START + DAY;
    const large = after(opening, START, setBudget(1_000_001, { isNew: false, thresholds: [] }));
    expect(typesOf(when(large, later, callAt(later)).events)).toEqual(['CallMade']);
    const small = after(opening, START, setBudget(50_000, { isNew: false, thresholds: [] }));
    expect(typesOf(when(small, later, callAt(later)).events)).toEqual(['CallMade']);
  });

  it('is reported once in a period', () => {
    const at = START + DAY + HOUR;
    const reported = evolveAll(opening, spending(START + DAY).events);
    expect(typesOf(when(reported, at, callAt(at)).events)).toEqual(['CallMade']);
  });

  it('is reported after a threshold that the same call has crossed', () => {
    const budget = setBudget(1_000_000, { isNew: false, thresholds: [5] });
    const state = after(opening, START, budget);
    const at = START + DAY;
    expect(typesOf(when(state, at, callAt(at)).events)).toEqual([
      'CallMade',
      'BudgetThresholdCrossed',
      'BudgetForecastExceeded',
    ]);
  });

  it('is reported by calls alone', () => {
    const at = START + DAY - 1;
    const spent = after(opening, at, callAt(at));
    const ticked = when(spent, START + DAY, { command: 'suspend-account', origin });
    expect(typesOf(ticked.events)).toEqual(['AccountSuspended']);
  });
});
