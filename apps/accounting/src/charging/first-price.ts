import type { QuoteItem } from '#account/charging.js';
import { priceFor } from '#account/decide-call.js';
import { OpenedKeys } from '#account/opened-keys.js';
import type { AccountState } from '#account/state.js';
import { currentTerms, type PriceSource } from './current-terms.js';

const NOTHING = OpenedKeys.of();

/** Credits that the first call of a resource costs an account in a window (its label). */
export async function firstPrice(
  source: PriceSource,
  state: AccountState,
  item: Pick<QuoteItem, 'key' | 'resource' | 'rows'>,
  window: string,
): Promise<number> {
  const { cards } = await currentTerms(source, state);
  const { cost } = priceFor({ ...state, opened: NOTHING }, item, window, cards);
  return cost[0] + cost[1];
}
