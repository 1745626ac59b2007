import { advance, evolveAll } from './advance.js';
import type { AccountEvent } from './events.js';
import { initialState } from './state.js';
import {
  adjust,
  after,
  callAt,
  changeAccount,
  DAY,
  given,
  grantCredits,
  HOUR,
  openAccount,
  outline,
  plan,
  prepaid,
  terms,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

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
