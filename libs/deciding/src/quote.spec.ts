import type { QuoteItem, QuoteOutcome } from '#account/charging.js';
import { evolveAll } from '#account/advance.js';
import {
  allBeauty,
  callAt,
  DAY,
  given,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  prepaid,
  terms,
  TUESDAY,
  when,
} from '#account/scenario.suite.js';
import type { AccountState } from '#account/state.js';
import type { Resource } from '#rating/resource.js';
import { resourceKey } from '#rating/resource-path.js';
import { quoteCalls } from './quote.js';

const top5: Resource = { ...allBeauty, limit: 'top5' };

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
    expect(nextWindow(await quote(prepaid(100), past, past))).toEqual([50_000, 10]);
  });

  it('says the same as the charges that follow it', async () => {
    const state = prepaid(60_000);
    const { events } = when(state, TUESDAY, callAt(TUESDAY));
    expect(prices(await quote(evolveAll(state, events), item(allBeauty)))).toEqual([10]);
  });

  it('names what a call would be refused for and goes on without it', async () => {
    expect(prices(await quote(prepaid(100), item(allBeauty), item(top5)))).toEqual([
      'out-of-credits',
      35,
    ]);
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
