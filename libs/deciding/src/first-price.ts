import type { QuoteItem } from '#account/charging.js';
import { priceFor, type Terms } from '#account/decide-call.js';
import { OpenedKeys } from '#account/opened-keys.js';
import type { AccountState } from '#account/state.js';

const NOTHING = OpenedKeys.of();

/** Credits that the first call of a resource costs an account in a window (its label). */
export function firstPrice(
  state: AccountState,
  item: Pick<QuoteItem, 'key' | 'resource' | 'rows'>,
  window: string,
  { cards }: Pick<Terms, 'cards'>,
): number {
  const { cost } = priceFor({ ...state, opened: NOTHING }, item, window, cards);
  return cost[0] + cost[1];
}
