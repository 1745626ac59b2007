import fc from 'fast-check';
import type { Resource } from '#rating/resource.js';
import { advance, evolveAll } from './advance.js';
import { creditsAt, leftOf, spentOf } from './budget-limits.js';
import type { Command } from './commands.js';
import type { AccountState } from './state.js';
import {
  adjust,
  after,
  allBeauty,
  callAt,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  outline,
  prepaid,
  setBudget,
  terms,
  TUESDAY,
  when,
} from './scenario.suite.js';

const PLENTY = 10_000_000;
const top5: Resource = { ...allBeauty, limit: 'top5' };
const NEXT_TUESDAY = Date.UTC(2026, 11, 1);
const remove: Command = { command: 'remove-budget', origin, budgetId: 'budget-1' };

/** Fields of the alerts among events. */
function alerts(events: readonly { readonly type: string; readonly data: object }[]): object[] {
  return events
    .filter(({ type }) => type.startsWith('Budget') && type !== 'BudgetSet')
    .map(({ type, data }) => ({ type, ...data }));
}

function crossing(threshold: number, spent: number, callId: string | null, more = {}) {
  return {
    type: 'BudgetThresholdCrossed',
    budget_id: 'budget-1',
    period: '2026-11',
    limit: 100_000,
    spent,
    threshold,
    call_id: callId,
    ...more,
  };
}

describe('a threshold', () => {
  const state = after(prepaid(PLENTY), TUESDAY, setBudget(100_000));

  it('is reported with the call that reaches it, right after it', () => {
    const { events, own } = when(state, TUESDAY, callAt(TUESDAY, { callId: 'call-7' }));
    expect(events.map(({ type }) => type)).toEqual(['CallMade', 'BudgetThresholdCrossed']);
    expect(own).toBe(0);
    expect(alerts(events)).toEqual([crossing(50, 50_000, 'call-7')]);
  });

  it('is reported once', () => {
    const called = after(state, TUESDAY, callAt(TUESDAY));
    const again = when(called, TUESDAY + HOUR, callAt(TUESDAY + HOUR));
    expect(again.events.map(({ type }) => type)).toEqual(['CallMade']);
  });

  it('is reported together with others that the same call has crossed, in ascending order', () => {
    const small = after(prepaid(PLENTY), TUESDAY, setBudget(20_000));
    const { events } = when(small, TUESDAY, callAt(TUESDAY));
    const thresholds = alerts(events).map((alert) => 'threshold' in alert && alert.threshold);
    expect(thresholds).toEqual([50, 80, 100]);
  });

  it('is reported at once, for no call, when it was reached before the budget was made', () => {
    const spent = after(prepaid(PLENTY), TUESDAY, callAt(TUESDAY));
    const { events, own } = when(spent, TUESDAY + HOUR, setBudget(100_000));
    expect(own).toBe(0);
    expect(alerts(events)).toEqual([crossing(50, 50_000, null)]);
  });

  it('is reported when a change of the budget reaches it, and none is reported twice', () => {
    const called = after(state, TUESDAY, callAt(TUESDAY));
    const lower = setBudget(60_000, { isNew: false });
    const { events } = when(called, TUESDAY + HOUR, lower);
    expect(alerts(events)).toEqual([crossing(80, 50_000, null, { limit: 60_000 })]);
    const raised = after(
      evolveAll(called, events),
      TUESDAY + HOUR,
      setBudget(PLENTY, { isNew: false }),
    );
    const back = when(raised, TUESDAY + HOUR, lower);
    expect(back.events.map(({ type }) => type)).toEqual(['BudgetSet']);
  });

  it('is not reported twice in a month when the budget was one of windows in between', () => {
    const month = after(state, TUESDAY, callAt(TUESDAY));
    const change = (period: 'month' | 'window') => setBudget(100_000, { isNew: false, period });
    const { events } = when(month, TUESDAY, change('window'));
    expect(alerts(events)).toEqual([crossing(50, 50_000, null, { period: '2026w48' })]);
    const back = when(evolveAll(month, events), TUESDAY, change('month'));
    expect(alerts(back.events)).toEqual([]);
  });

  it('is reported again in the next period, which starts clean without an event', () => {
    const called = after(state, TUESDAY, callAt(TUESDAY));
    const due = advance(called, NEXT_TUESDAY, terms.calendar);
    expect(alerts(due)).toEqual([]);
    const { events } = when(called, NEXT_TUESDAY, callAt(NEXT_TUESDAY));
    expect(alerts(events)).toEqual([crossing(50, 50_000, 'call-1', { period: '2026-12' })]);
  });

  it('is not lowered by a call that is given back', () => {
    const called = after(state, TUESDAY, callAt(TUESDAY));
    const back = after(called, TUESDAY, adjust(50_000, { callId: 'call-1', charged: 50_000 }));
    const [budget] = back.budgets;
    expect(budget && spentOf(back, budget)).toBe(50_000);
  });

  it('of the budget of one API key counts the calls of that key alone', () => {
    const two = after(prepaid(PLENTY), TUESDAY, issueApiKey({ keyId: 'key-2' }));
    const own = after(two, TUESDAY, setBudget(100_000, { apiKeyId: 'key-2' }));
    const other = when(own, TUESDAY, callAt(TUESDAY, { apiKey: 1 }));
    expect(alerts(other.events)).toEqual([]);
    const key = '/v1/2026w40/cat1/trends/all/popindex/us/beauty';
    const state2 = evolveAll(own, other.events);
    const counted = when(state2, TUESDAY, callAt(TUESDAY, { apiKey: 2, key }));
    expect(alerts(counted.events)).toEqual([crossing(50, 50_000, 'call-1')]);
  });

  it('is no more once the budget is removed', () => {
    const { events } = when(after(state, TUESDAY, remove), TUESDAY, callAt(TUESDAY));
    expect(events.map(({ type }) => type)).toEqual(['CallMade']);
  });
});

describe('a budget that blocks', () => {
  const block = { action: 'block', thresholds: [] } as const;
  const state = after(prepaid(PLENTY), TUESDAY, setBudget(50_044, block));
  const spent = after(state, TUESDAY, callAt(TUESDAY));

  it('refuses the call that would exceed it, and says so once in a period', () => {
    const at = TUESDAY + HOUR;
    const first = when(spent, at, callAt(at, { resource: { ...top5, region: 'fr' } }));
    expect(first.refusal).toBeNull();
    const nearly = evolveAll(spent, first.events);
    const refused = when(nearly, at, callAt(at));
    expect(refused).toEqual({
      events: [
        {
          type: 'BudgetBlocked',
          at,
          data: {
            budget_id: 'budget-1',
            period: '2026-11',
            limit: 50_044,
            spent: 50_035,
            required_credits: 10,
          },
        },
      ],
      own: null,
      refusal: {
        reason: 'budget-exhausted',
        budgetId: 'budget-1',
        requiredCredits: 10,
        leftCredits: 9,
        resetsAt: NEXT_TUESDAY,
      },
    });
    const again = when(evolveAll(nearly, refused.events), at, callAt(at));
    expect(again.events).toEqual([]);
    expect(again.refusal?.reason).toBe('budget-exhausted');
  });

  it('lets a call through that just fits', () => {
    const exact = after(prepaid(PLENTY), TUESDAY, setBudget(50_000, block));
    expect(when(exact, TUESDAY, callAt(TUESDAY)).refusal).toBeNull();
    const less = after(prepaid(PLENTY), TUESDAY, setBudget(49_999, block));
    expect(when(less, TUESDAY, callAt(TUESDAY)).refusal?.reason).toBe('budget-exhausted');
  });

  it('refuses after a missing credit and a ceiling were looked at', () => {
    const poor = after(prepaid(10), TUESDAY, setBudget(1, block));
    expect(when(poor, TUESDAY, callAt(TUESDAY))).toMatchObject({
      events: [],
      refusal: { reason: 'out-of-credits' },
    });
    expect(when(spent, TUESDAY, callAt(TUESDAY, { maxCredits: 9 }))).toMatchObject({
      events: [],
      refusal: { reason: 'price-above-maximum' },
    });
  });

  it('with the least left is the one that is named; all that refuse report it', () => {
    const two = given(
      [TUESDAY, openAccount({ overdraft: null })],
      [TUESDAY, issueApiKey()],
      [TUESDAY, setBudget(900, { ...block, budgetId: 'a' })],
      [TUESDAY, setBudget(500, { ...block, budgetId: 'b', period: 'window' })],
      [TUESDAY, setBudget(90_000, { ...block, budgetId: 'c' })],
      [TUESDAY, setBudget(100, { budgetId: 'd', action: 'alert' })],
    );
    const { events, refusal } = when(two, TUESDAY, callAt(TUESDAY));
    expect(refusal).toMatchObject({ budgetId: 'b', leftCredits: 500, resetsAt: NEXT_TUESDAY });
    expect(
      outline(events, 'budget_id').map((event) => 'budget_id' in event && event.budget_id),
    ).toEqual(['a', 'b']);
  });

  it('of one API key refuses no other', () => {
    const two = after(prepaid(PLENTY), TUESDAY, issueApiKey({ keyId: 'key-2' }));
    const own = after(two, TUESDAY, setBudget(1, { ...block, apiKeyId: 'key-2' }));
    expect(when(own, TUESDAY, callAt(TUESDAY, { apiKey: 1 })).refusal).toBeNull();
    expect(when(own, TUESDAY, callAt(TUESDAY, { apiKey: 2 })).refusal?.reason).toBe(
      'budget-exhausted',
    );
  });

  it('lets calls through again in the next period', () => {
    expect(when(spent, NEXT_TUESDAY, callAt(NEXT_TUESDAY)).refusal).toBeNull();
    const window = after(
      prepaid(PLENTY),
      TUESDAY,
      setBudget(50_000, { ...block, period: 'window' }),
    );
    const used = after(window, TUESDAY, callAt(TUESDAY));
    const monday = TUESDAY + 6 * DAY;
    expect(when(used, monday, callAt(monday)).refusal?.reason).toBe('budget-exhausted');
    expect(when(used, NEXT_TUESDAY, callAt(NEXT_TUESDAY)).refusal).toBeNull();
  });

  it('has nothing left, and not less, when the limit was put below what is spent', () => {
    const lowered = after(spent, TUESDAY, setBudget(10, { ...block, isNew: false }));
    const [budget] = lowered.budgets;
    expect(budget && leftOf(lowered, budget)).toBe(0);
  });
});

describe('what counts', () => {
  it('is spent since the start of the period, also before the budget was made', () => {
    const before: AccountState = after(prepaid(PLENTY), TUESDAY, callAt(TUESDAY));
    const state = after(before, TUESDAY + DAY, setBudget(PLENTY));
    const [budget] = state.budgets;
    expect(budget && spentOf(state, budget)).toBe(50_000);
  });

  it('is charged, not granted, adjusted or taken', () => {
    const steps = [adjust(-500), grantCredits(7)].reduce<AccountState>(
      (state, command) => after(state, TUESDAY, command),
      after(prepaid(PLENTY), TUESDAY, setBudget(PLENTY)),
    );
    const [budget] = steps.budgets;
    expect(budget && spentOf(steps, budget)).toBe(0);
  });
});

it('finds the credits of a percentage exactly, however large the limit', () => {
  const limit = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(limit, fc.integer({ min: 1, max: 100 }), (credits, percent) => {
      const exact = (BigInt(credits) * BigInt(percent) + 99n) / 100n;
      expect(BigInt(creditsAt(credits, percent))).toBe(exact);
    }),
  );
});
