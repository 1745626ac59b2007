import type { QuotedCall, QuoteItem, QuoteOutcome, QuoteRequest } from '#account/charging.js';
import {
  assessCall,
  callAt,
  type Price,
  priceFor,
  refuseCaller,
  type Terms,
} from '#account/decide-call.js';
import { evolve } from '#account/evolve.js';
import { CREDITS_MAX, creditsToCharge } from '#account/limits.js';
import { type AccountState, recall } from '#account/state.js';
import { isKeyOf, keyInWindow } from '#rating/key-parts.js';
import { FairQueue } from '#web/fair-queue.js';

const NOTHING: ReadonlySet<string> = new Set();
/** Those of API keys begin with 1. */
const NO_ORDINAL = 0;

type QuotedRequest = ReturnType<typeof requestFor>;

/** The call that is priced. Written member by member: a spread for each of a thousand is slow. */
function requestFor(item: QuoteItem, apiKey: number) {
  const { key, resource, rows, units, window, release } = item;
  const asked = key;
  const [maxCredits, tags] = [null, null];
  return { key, asked, resource, rows, units, window, release, apiKey, maxCredits, tags };
}

/** A state after a call that was only priced, so that the next price stands on it. */
function supposing(state: AccountState, call: QuotedRequest, price: Price, at: number) {
  const after = evolve(state, callAt(state, call, price, at));
  // The first call of a window drops the keys of the one before, which later items may ask for.
  return after.window === state.window ? after : recall(after, [...state.opened]);
}

/**
 * Prices the calls that are quoted as if they were made in order in the next window too: what names
 * a past window keeps its key there, all else is a first call once more. `state`: with the call in
 * it.
 */
function nextPrices(terms: Terms, at: number): (state: AccountState, item: QuoteItem) => number {
  const next = terms.calendar.nextWindow(terms.calendar.windowAt(at)).label;
  const called = new Set<string>();
  return (state, item) => {
    const isPast = !isKeyOf(item.key, item.window);
    const key = isPast ? item.key : keyInWindow(item.key, next);
    const isOpened = called.has(key) || (isPast && state.opened.has(key));
    called.add(key);
    const { rateCard, rateCards, pinnedCards } = state;
    const then = { opened: isOpened ? called : NOTHING, rateCard, rateCards, pinnedCards };
    const { resource, rows, units } = item;
    const price = priceFor(then, { key, resource, rows, units }, next, terms.cards);
    // Units that a card to come does not price any more cannot be called then.
    return 'reason' in price ? 0 : price.cost[0] + price.cost[1];
  };
}

/**
 * Prices calls as if they were made in order at a moment, by the very functions that charge them,
 * and lets other requests have their turn meanwhile. A call that would be refused is priced as if
 * funds were there, and so are those after it. The state must know of each key whether it was
 * opened.
 */
export async function quoteCalls(
  state: AccountState,
  request: QuoteRequest,
  at: number,
  terms: Terms,
): Promise<QuoteOutcome> {
  const caller = refuseCaller(state, request.apiKey, at);
  if (caller !== null && caller.reason !== 'scope-missing') {
    return { outcome: 'refused', refusal: caller };
  }
  const nextPrice = nextPrices(terms, at);
  const items: QuotedCall[] = [];
  let current = state;
  const turns = new FairQueue();
  for (const item of request.items) {
    await turns.pass();
    const call = requestFor(item, request.apiKey ?? NO_ORDINAL);
    const assessed = assessCall(current, call, at, terms);
    if ('unpriced' in assessed) return { outcome: 'refused', refusal: assessed.unpriced };
    const { price, refusal } = assessed;
    current = supposing(current, call, price, at);
    const { kind, cost, card, rule } = price;
    items.push({ kind, cost, card, rule, nextWindowCredits: nextPrice(current, item), refusal });
  }
  const total = items.reduce((sum, { cost }) => sum + cost[0] + cost[1], 0);
  const shortfall = Math.min(CREDITS_MAX, Math.max(0, total - creditsToCharge(state)));
  const balance = state.overdraft === null ? null : state.balance;
  return { outcome: 'quoted', items, balance, shortfall };
}
