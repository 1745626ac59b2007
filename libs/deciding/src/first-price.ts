import type { QuoteItem } from '#account/charging.js';
import { priceFor, type Terms } from '#account/decide-call.js';
import type { AccountState } from '#account/state.js';

const NOTHING: ReadonlySet<string> = new Set();

/** Credits that the first call of a resource of the index costs in a window (its label). */
export function firstPrice(
  { rateCard, rateCards, pinnedCards }: AccountState,
  item: Pick<QuoteItem, 'key' | 'resource' | 'rows'>,
  window: string,
  { cards }: Pick<Terms, 'cards'>,
): number {
  const state = { opened: NOTHING, rateCard, rateCards, pinnedCards };
  const price = priceFor(state, item, window, cards);
  if ('reason' in price) throw new Error(`${item.key} has no price: ${price.reason}.`);
  return price.cost[0] + price.cost[1];
}
