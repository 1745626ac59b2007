import { evolveAll } from './advance.js';
import type { CallMade } from './calls.js';
import { HOLDS_MAX, placedHold } from './holds.js';
import type { Hold } from './open-holds.js';
import { LATE_MS } from './settle-hold.js';
import type { AccountState } from './state.js';
import {
  adjust,
  after,
  callAt,
  changeAccount,
  DAY,
  given,
  grantCredits,
  hold,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  outline,
  ownEvent,
  plan,
  prepaid,
  release,
  revokeApiKey,
  setBudget,
  settle,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

/** The price of a first call of that listing: 10 for the call, 49,990 for its data. */
const FIRST = 50_000;
const MINUTE = 60_000;
const credits = (of: number) => ({ credits: of });

function heldOf(state: AccountState): number {
  return state.holds?.credits ?? 0;
}

function settled(state: AccountState, at: number, id: string): CallMade {
  return ownEvent(when(state, at, settle(id, 7)), 'CallMade').data;
}

/** The hold of a placement, as whoever settles it late finds it in the log. */
function placed(state: AccountState, at: number, command: ReturnType<typeof hold>): Hold {
  return placedHold(ownEvent(when(state, at, command), 'HoldPlaced').data);
}

describe('placing a hold', () => {
  it('keeps back what a first call costs, and leaves the balance as it is', () => {
    const state = after(prepaid(60_000), TUESDAY, hold(TUESDAY, 'h1'));
    expect({ balance: state.balance, held: heldOf(state) }).toEqual({
      balance: 60_000,
      held: FIRST,
    });
  });

  it('keeps back what a repeat costs, if the key is opened', () => {
    const called = after(prepaid(60_000), TUESDAY, callAt(TUESDAY));
    expect(heldOf(after(called, TUESDAY, hold(TUESDAY, 'h1')))).toBe(10);
  });

  it('keeps back each hold of one key as a first call', () => {
    const one = after(prepaid(120_000), TUESDAY, hold(TUESDAY, 'h1'));
    expect(heldOf(after(one, TUESDAY, hold(TUESDAY, 'h2')))).toBe(2 * FIRST);
  });

  it('keeps back the credits that its caller names', () => {
    const { data } = ownEvent(
      when(prepaid(100), TUESDAY, hold(TUESDAY, 'h1', credits(75))),
      'HoldPlaced',
    );
    expect(data).toMatchObject({ credits: 75, held: 75, rows: undefined, card: 1 });
  });

  it('is done once: the same attempt changes nothing', () => {
    const state = after(prepaid(60_000), TUESDAY, hold(TUESDAY, 'h1'));
    expect(when(state, TUESDAY, hold(TUESDAY, 'h1'))).toEqual({
      events: [],
      own: null,
      refusal: null,
    });
  });

  it('is refused while another attempt holds for the same call', () => {
    const state = after(prepaid(200), TUESDAY, hold(TUESDAY, 'h1', credits(10)));
    const { request } = hold(TUESDAY, 'h1');
    const other = hold(TUESDAY, 'h2', { request, credits: 10 });
    const refusal = { reason: 'hold-in-progress', callId: request.callId };
    expect(when(state, TUESDAY, other)).toMatchObject({ refusal });
  });

  it.each([
    ['nothing more is there', prepaid(74), { reason: 'out-of-credits', requiredCredits: 75 }],
    [
      'the rest is held',
      after(prepaid(100), TUESDAY, hold(TUESDAY, 'h0', credits(30))),
      { reason: 'credits-held', availableCredits: 70, heldCredits: 30, freeIn: 300_000 },
    ],
    [
      'a budget that blocks has less left beside what is held',
      after(
        after(prepaid(1_000), TUESDAY, setBudget(100, { action: 'block' })),
        TUESDAY,
        hold(TUESDAY, 'h0', credits(30)),
      ),
      { reason: 'budget-exhausted', leftCredits: 70 },
    ],
    [
      'the account is suspended',
      after(prepaid(100), TUESDAY, { command: 'suspend-account', origin }),
      { reason: 'account-suspended' },
    ],
    [
      'the API key was revoked',
      after(prepaid(100), TUESDAY, revokeApiKey('key-1')),
      { reason: 'key-invalid' },
    ],
    [
      'the account is closed',
      after(prepaid(100), TUESDAY, { command: 'close-account', origin }),
      { reason: 'account-closed' },
    ],
  ])('is refused if %s', (_, state, refusal) => {
    expect(when(state, TUESDAY, hold(TUESDAY, 'h1', credits(75)))).toMatchObject({ refusal });
  });

  it('is refused above its own ceiling, and with a ceiling below what is held', () => {
    const dear = hold(TUESDAY, 'h1', { max: 40_000, over: 'extend' });
    expect(when(prepaid(60_000), TUESDAY, dear)).toMatchObject({
      refusal: { reason: 'price-above-maximum', requiredCredits: FIRST, maxCredits: 40_000 },
    });
    const odd = hold(TUESDAY, 'h1', { credits: 50, max: 40, over: 'extend' });
    expect(when(prepaid(60_000), TUESDAY, odd)).toMatchObject({ refusal: { reason: 'conflict' } });
  });

  it('is refused beyond 1,000 open ones', () => {
    const open = Array.from({ length: HOLDS_MAX }, (_, at) => hold(TUESDAY, `h${at}`, credits(1)));
    const state = open.reduce((before, one) => after(before, TUESDAY, one), prepaid(60_000));
    expect(when(state, TUESDAY, hold(TUESDAY, 'more', credits(1)))).toMatchObject({
      refusal: { reason: 'hold-limit', limit: 1_000 },
    });
  });

  it('20 holds of 75 credits fit 6 times into 500', () => {
    let state = prepaid(500);
    const outcomes = Array.from({ length: 20 }, (_, at) => {
      const { events, refusal } = when(state, TUESDAY, hold(TUESDAY, `h${at}`, credits(75)));
      state = evolveAll(state, events);
      return refusal?.reason ?? 'placed';
    });
    expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(6);
    expect(outcomes.slice(6)).toEqual(Array.from({ length: 14 }, () => 'credits-held'));
  });
});

describe('what is held', () => {
  const state = after(prepaid(100), TUESDAY, hold(TUESDAY, 'h1', credits(95)));

  it('is not there for calls', () => {
    expect(when(state, TUESDAY, callAt(TUESDAY))).toMatchObject({
      refusal: { reason: 'out-of-credits', availableCredits: 5 },
    });
    const rich = after(state, TUESDAY, grantCredits(FIRST - 10));
    expect(when(rich, TUESDAY, callAt(TUESDAY))).toMatchObject({
      refusal: { reason: 'credits-held' },
    });
  });

  it('can be adjusted and voided away, as only calls and holds respect it', () => {
    expect(after(state, TUESDAY, adjust(-100)).balance).toBe(0);
    expect(after(state, TUESDAY, voidGrant('grant-of-100')).balance).toBe(0);
  });

  it('is no spending: no threshold, no low balance', () => {
    const watched = given(
      [TUESDAY, openAccount({ lowBalance: 50 })],
      [TUESDAY, issueApiKey()],
      [TUESDAY, grantCredits(100)],
      [TUESDAY, setBudget(100, { thresholds: [50] })],
    );
    const { events } = when(watched, TUESDAY, hold(TUESDAY, 'h1', credits(95)));
    expect(events.map(({ type }) => type)).toEqual(['HoldPlaced']);
  });
});

describe('settling a hold', () => {
  it('is a call of the price by the card of its placement, and ends the hold', () => {
    const state = after(prepaid(60_000), TUESDAY, hold(TUESDAY, 'h1'));
    const call = settled(state, TUESDAY + MINUTE, 'h1');
    expect(call).toMatchObject({ kind: 'base', cost: [10, 49_990], hold: 'h1', balance: 10_000 });
    const ended = after(state, TUESDAY + MINUTE, settle('h1', 7));
    expect(ended.holds).toBeUndefined();
    expect(when(ended, TUESDAY + MINUTE, settle('h1', 7))).toMatchObject({
      refusal: { reason: 'hold-closed' },
    });
  });

  it('of two holds of one key the first is a first call and the next a repeat', () => {
    const both = [hold(TUESDAY, 'h1'), hold(TUESDAY, 'h2')].reduce(
      (state, one) => after(state, TUESDAY, one),
      prepaid(120_000),
    );
    const one = after(both, TUESDAY, settle('h2', 7));
    expect(settled(one, TUESDAY, 'h1')).toMatchObject({ kind: 'repeat', cost: [10, 0] });
    expect(after(one, TUESDAY, settle('h1', 7)).holds).toBeUndefined();
  });

  it('charges at most what was held, and says what it waived', () => {
    const state = after(prepaid(60_000), TUESDAY, hold(TUESDAY, 'h1', credits(100)));
    expect(settled(state, TUESDAY, 'h1')).toMatchObject({ cost: [10, 90], waived: FIRST - 100 });
  });

  it.each([
    ['as far as it can be paid', prepaid(60_000), {}, { cost: [10, 49_990] }],
    ['up to its ceiling', prepaid(60_000), { max: 300 }, { cost: [10, 290], waived: FIRST - 300 }],
    ['up to the funds', prepaid(250), {}, { cost: [10, 240], waived: FIRST - 250 }],
    [
      'up to a budget',
      after(prepaid(60_000), TUESDAY, setBudget(250, { action: 'block' })),
      {},
      { cost: [10, 240], waived: FIRST - 250 },
    ],
    [
      'without what others hold',
      after(prepaid(250), TUESDAY, hold(TUESDAY, 'h2', credits(50))),
      {},
      { cost: [10, 190], waived: FIRST - 200 },
    ],
  ])('of an extended hold charges more than was held, %s', (_, before, changes, call) => {
    const extended = hold(TUESDAY, 'h1', { credits: 100, over: 'extend', ...changes });
    const state = after(before, TUESDAY, extended);
    expect(settled(state, TUESDAY, 'h1')).toMatchObject(call);
  });

  it.each([
    ['was voided', voidGrant('grant-of-100'), { cost: [0, 0], waived: FIRST }],
    ['was adjusted', adjust(-60), { cost: [10, 30], waived: FIRST - 40 }],
  ])('charges what is left if the balance %s meanwhile', (_, change, call) => {
    const state = after(prepaid(100), TUESDAY, hold(TUESDAY, 'h1', credits(100)));
    expect(settled(after(state, TUESDAY, change), TUESDAY, 'h1')).toMatchObject(call);
  });

  it('waives what the overdraft, once it was lowered, does not cover any more', () => {
    const state = after(
      prepaid(100, { overdraft: 50 }),
      TUESDAY,
      hold(TUESDAY, 'h1', credits(150)),
    );
    const lowered = after(state, TUESDAY, changeAccount({ overdraft: 0 }));
    expect(settled(lowered, TUESDAY, 'h1')).toMatchObject({ cost: [10, 90], waived: FIRST - 100 });
  });

  it.each([
    ['is suspended', { command: 'suspend-account', origin } as const],
    ['has lost the API key', revokeApiKey('key-1')],
  ])('goes through if the account %s meanwhile', (_, change) => {
    const state = after(prepaid(60_000), TUESDAY, hold(TUESDAY, 'h1'));
    expect(settled(after(state, TUESDAY, change), TUESDAY, 'h1').cost).toEqual([10, 49_990]);
  });

  it('belongs to the week and month in which it happens, and keeps its key', () => {
    const monday = TUESDAY + 6 * DAY + 14 * HOUR;
    const held = hold(monday, 'h1', { expiresIn: 10 * HOUR });
    const state = after(prepaid(60_000), monday, held);
    const call = settled(state, monday + 8 * HOUR, 'h1');
    expect(call).toMatchObject({ key: held.request.key, window: '2026w49', kind: 'base' });
  });

  it('names its call where a threshold is crossed by it', () => {
    const watched = after(prepaid(60_000), TUESDAY, setBudget(FIRST, { thresholds: [100] }));
    const state = after(watched, TUESDAY, hold(TUESDAY, 'h1'));
    const { events } = when(state, TUESDAY, settle('h1', 7));
    expect(outline(events, 'call_id')).toMatchObject([
      { type: 'CallMade' },
      { type: 'BudgetThresholdCrossed', call_id: 'call-of-h1' },
    ]);
  });

  it('is billed by a plan as other calls are', () => {
    const state = after(prepaid(0 + 1, { plan, overdraft: null }), TUESDAY, hold(TUESDAY, 'h1'));
    const december = Date.UTC(2026, 11, 1, 1);
    const { events } = when(after(state, TUESDAY, settle('h1', 7)), december, { command: 'tick' });
    expect(outline(events, 'credits', 'calls')).toContainEqual(
      expect.objectContaining({ type: 'MonthClosed', credits: FIRST, calls: 1 }),
    );
  });
});

describe('the end of a hold without a charge', () => {
  const state = after(prepaid(100), TUESDAY, hold(TUESDAY, 'h1', credits(95)));

  it('is a release', () => {
    const { data } = ownEvent(when(state, TUESDAY, release('h1', { status: 502 })), 'HoldReleased');
    expect(data).toEqual({ hold: 'h1', credits: 95, held: 0, cause: 'caller', status: 502 });
    const ended = after(state, TUESDAY, release('h1'));
    expect(when(ended, TUESDAY, release('h1'))).toMatchObject({
      refusal: { reason: 'hold-closed' },
    });
  });

  it('is a release with a reason, if an operator does it', () => {
    const by = { ...origin, reason: 'Their worker is gone.' };
    const { data } = ownEvent(
      when(state, TUESDAY, release('h1', { cause: 'operator', by })),
      'HoldReleased',
    );
    expect(data).toMatchObject({ cause: 'operator', ...by });
  });

  it('falls due by itself, before a grant that expires at the same moment', () => {
    const end = TUESDAY + 300_000;
    const expiring = given(
      [TUESDAY, openAccount()],
      [TUESDAY, issueApiKey()],
      [TUESDAY, grantCredits(100, { expiresAt: end })],
      [TUESDAY, hold(TUESDAY, 'h1', credits(95))],
    );
    expect(outline(when(expiring, end, { command: 'tick' }).events, 'held')).toMatchObject([
      { type: 'HoldExpired', at: new Date(end).toISOString(), held: 0 },
      { type: 'GrantExpired' },
    ]);
  });

  it('is passed by a test clock', () => {
    const timed = prepaid(100, { test: true, testClock: TUESDAY });
    const holding = after(timed, TUESDAY, hold(TUESDAY, 'h1', credits(95)));
    const move = { command: 'move-test-clock', origin, now: TUESDAY + HOUR } as const;
    expect(outline(when(holding, TUESDAY, move).events)).toMatchObject([
      { type: 'HoldExpired', at: new Date(TUESDAY + 300_000).toISOString() },
      { type: 'TestClockMoved' },
    ]);
  });

  it('comes before an account is closed', () => {
    const both = after(state, TUESDAY, hold(TUESDAY, 'h2', credits(5)));
    const { events } = when(both, TUESDAY, { command: 'close-account', origin });
    expect(outline(events, 'hold', 'held', 'cause')).toMatchObject([
      { type: 'HoldReleased', hold: 'h1', held: 5, cause: 'closed' },
      { type: 'HoldReleased', hold: 'h2', held: 0, cause: 'closed' },
      { type: 'AccountClosed' },
    ]);
  });
});

describe('settling a hold that has expired', () => {
  const command = hold(TUESDAY, 'h1', credits(100));
  const late = TUESDAY + HOUR;
  const before = prepaid(1_000);
  const expired = placed(before, TUESDAY, command);
  const state = after(after(before, TUESDAY, command), late, { command: 'tick' });
  const again = (of = state, at = late) => when(of, at, settle('h1', 7, { expired }));

  it('is a call of its own, by the card, key and credits of the hold', () => {
    expect(ownEvent(again(), 'CallMade').data).toMatchObject({
      key: command.request.key,
      hold: 'h1',
      cost: [10, 90],
      waived: FIRST - 100,
      late: true,
      balance: 900,
    });
  });

  it.each([
    ['credits are missing', after(state, late, adjust(-950)), 'out-of-credits'],
    [
      'a budget blocks it',
      after(state, late, setBudget(50, { action: 'block' })),
      'budget-exhausted',
    ],
    [
      'the account is closed',
      after(state, late, { command: 'close-account', origin }),
      'hold-closed',
    ],
  ])('is refused if %s', (_, of, reason) => {
    expect(again(of)).toMatchObject({ refusal: { reason } });
  });

  it('is refused after seven days, and without a word of the log', () => {
    const end = TUESDAY + 300_000 + LATE_MS;
    expect(again(state, end).refusal).toBeNull();
    expect(again(state, end + 1)).toMatchObject({ refusal: { reason: 'hold-closed' } });
    expect(when(state, late, settle('h1', 7))).toMatchObject({
      refusal: { reason: 'hold-closed' },
    });
  });
});
