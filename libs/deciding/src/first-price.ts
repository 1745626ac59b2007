import type { QuoteItem } from '#account/charging.js';
import { priceFor, type Terms } from '#account/decide-call.js';
import type { AccountState } from '#account/state.js';

const NOTHING: ReadonlySet<string> = new Set();

/** Credits that the first call of a resource costs an account in a window (its label). */
export function firstPrice(
  { rateCard, pinnedCards }: AccountState,
  item: Pick<QuoteItem, 'key' | 'resource' | 'rows'>,
  window: string,
  { cards }: Pick<Terms, 'cards'>,
): number {
  const { cost } = priceFor({ opened: NOTHING, rateCard, pinnedCards }, item, window, cards);
  return cost[0] + cost[1];
}
