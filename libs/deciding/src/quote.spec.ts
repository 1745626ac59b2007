import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import type { QuoteItem, QuoteOutcome } from '#account/charging.js';
import { creditsToCharge } from '#account/limits.js';
import type { AccountState } from '#account/state.js';
import { history, opening, run } from '#account/histories.suite.js';
import {
  after,
  allBeauty,
  callAt,
  DAY,
  given,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  ownEvent,
  prepaid,
  setBudget,
  terms,
  TUESDAY,
  when,
} from '#account/scenario.suite.js';
import type { Resource } from '#rating/resource.js';
import { resourceKey } from '#rating/resource-key.js';
import { quoteCalls } from './quote.js';

const top5: Resource = { ...allBeauty, limit: 'top5' };
const LISTINGS: readonly Resource[] = (['top5', 'all', 'top100'] as const).flatMap((limit) =>
  (['us', 'fr'] as const).map((region) => ({ ...allBeauty, limit, region })),
);

function item(resource: Resource, window = '2026w48'): QuoteItem {
  return { key: resourceKey(resource, window), resource, rows: 5, window, release: 'r1' };
}

function quote(state: AccountState, ...items: QuoteItem[]): Promise<QuoteOutcome> {
  return quoteCalls(state, { accountId: 'account-1', apiKey: 1, items }, TUESDAY, terms);
}

function prices(outcome: QuoteOutcome): (number | string)[] {
  if (outcome.outcome === 'refused') return [outcome.refusal.reason];
  return outcome.items.map(({ cost, refusal }) => refusal?.reason ?? cost[0] + cost[1]);
}

function costs(outcome: QuoteOutcome): number[] {
  if (outcome.outcome === 'refused') throw new Error(outcome.refusal.reason);
  return outcome.items.map(({ cost }) => cost[0] + cost[1]);
}

/** Credits of real calls, made in this order. */
function chargesOf(start: AccountState, items: readonly QuoteItem[], at: number): number[] {
  let state = start;
  return items.map(({ key, resource, rows }) => {
    const decision = when(state, at, callAt(at, { key, resource, rows }));
    const { cost } = ownEvent(decision, 'CallMade').data;
    state = evolveAll(state, decision.events);
    return cost[0] + cost[1];
  });
}

/** Prepaid, with all beauty trends called in this window. */
function called(credits: number): AccountState {
  return evolveAll(prepaid(credits), when(prepaid(credits), TUESDAY, callAt(TUESDAY)).events);
}

function nextWindow(outcome: QuoteOutcome): number[] {
  if (outcome.outcome === 'refused') throw new Error(outcome.refusal.reason);
  return outcome.items.map(({ nextWindowCredits }) => nextWindowCredits);
}

describe('a quote', () => {
  it('prices calls as if they were made in that order', async () => {
    const outcome = await quote(prepaid(60_000), item(top5), item(allBeauty), item(top5));
    expect(prices(outcome)).toEqual([35, 50_000, 10]);
    expect(outcome).toMatchObject({
      balance: 60_000,
      items: [{ nextWindowCredits: 35 }, { nextWindowCredits: 50_000 }, { nextWindowCredits: 10 }],
    });
  });

  it.each<[string, AccountState, Resource[], number[]]>([
    ['a URL that is given twice, once as a repeat', prepaid(60_000), [top5, top5], [35, 10]],
    ['what is a repeat now, as a first call', called(60_000), [allBeauty, top5], [50_000, 35]],
    ['what is refused now', prepaid(1), [allBeauty, allBeauty], [50_000, 10]],
  ])('prices the same calls in the next window: %s', async (_what, state, resources, credits) => {
    expect(nextWindow(await quote(state, ...resources.map((one) => item(one))))).toEqual(credits);
  });

  it('prices a past week in the next window by the key that it has kept', async () => {
    const past = { ...item(allBeauty, '2026w47'), window: '2026w48' };
    expect(nextWindow(await quote(prepaid(60_000), past))).toEqual([10]);
    expect(nextWindow(await quote(prepaid(100), past, past))).toEqual([10, 10]);
  });

  it('says the same as the charges that follow it', async () => {
    const state = prepaid(60_000);
    const { events } = when(state, TUESDAY, callAt(TUESDAY));
    expect(prices(await quote(evolveAll(state, events), item(allBeauty)))).toEqual([10]);
  });

  it('prices a call that is refused, and all after it, as if the funds were there', async () => {
    const items = [item(allBeauty), item(allBeauty), item(allBeauty)];
    const outcome = await quote(prepaid(20), ...items);
    expect(costs(outcome)).toEqual([50_000, 10, 10]);
    expect(outcome).toMatchObject({ shortfall: 50_000 });
    expect(prices(outcome)).toEqual(['out-of-credits', 'out-of-credits', 'out-of-credits']);
  });

  it('lacks no credits where a budget alone refuses', async () => {
    const state = after(prepaid(60_000), TUESDAY, setBudget(40, { action: 'block' }));
    const outcome = await quote(state, item(top5), item(allBeauty));
    expect(prices(outcome)).toEqual([35, 'budget-exhausted']);
    expect(outcome).toMatchObject({ shortfall: 0 });
  });

  it('costs what the same calls cost an account without a limit, and lacks what is missing', async () => {
    const asked = fc.array(fc.constantFrom(...LISTINGS), { minLength: 1, maxLength: 20 });
    const check = fc.asyncProperty(opening, history, asked, async (account, steps, listings) => {
      let at = TUESDAY;
      const state = run(account, steps, (stage) => (at = stage.at));
      const window = terms.calendar.windowAt(at).label;
      const items = listings.map((listing) => item(listing, window));
      const request = { accountId: 'account-1', apiKey: 1, items };
      const outcome = await quoteCalls(state, request, at, terms);
      if (outcome.outcome === 'refused') return;
      const free = { ...state, overdraft: null, plan: null, nextPlan: null, budgets: [] };
      const charged = chargesOf(free, items, at);
      const total = charged.reduce((sum, credits) => sum + credits, 0);
      const { shortfall, items: quoted } = outcome;
      expect(costs(outcome)).toEqual(charged);
      expect(shortfall).toBe(Math.max(0, total - creditsToCharge(state)));
      const isPaid = quoted.every(({ refusal }) => {
        return refusal?.reason !== 'out-of-credits' && refusal?.reason !== 'credits-held';
      });
      expect(isPaid).toBe(shortfall === 0);
    });
    await fc.assert(check, { numRuns: 60 });
  });

  it('knows the keys of the week before also after a first call of the new one', async () => {
    const before = prepaid(1_000_000);
    const { events } = when(before, TUESDAY, callAt(TUESDAY));
    const [past, current] = ['2026w48', '2026w49'];
    const items = [allBeauty, allBeauty].map((resource, index) => ({
      ...item(resource, index === 0 ? current : past),
      window: current,
    }));
    const request = { accountId: 'account-1', apiKey: 1, items };
    const outcome = await quoteCalls(evolveAll(before, events), request, TUESDAY + 7 * DAY, terms);
    expect(prices(outcome)).toEqual([50_000, 10]);
  });

  it('changes nothing in the state it was asked of', async () => {
    const state = prepaid(60_000);
    await quote(state, item(allBeauty), item(top5));
    expect(state.balance).toBe(60_000);
    expect([...state.opened]).toEqual([]);
  });

  it('has no balance for an account without a limit', async () => {
    const state = given([TUESDAY, openAccount({ overdraft: null })], [TUESDAY, issueApiKey()]);
    expect(await quote(state, item(allBeauty))).toMatchObject({ balance: null });
  });

  it.each<[string, AccountState, QuoteItem]>([
    ['window-moved', prepaid(1), item(top5, '2026w47')],
    ['key-invalid', given([TUESDAY, openAccount()], [TUESDAY, grantCredits(1)]), item(top5)],
    [
      'account-suspended',
      evolveAll(prepaid(1), [{ type: 'AccountSuspended', at: TUESDAY, data: origin }]),
      item(top5),
    ],
  ])('is refused with %s', async (reason, state, asked) => {
    expect(prices(await quote(state, asked))).toEqual([reason]);
  });
});
