import { AccountingUnavailableError, type QuoteItem } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import { ownCards } from '#account/own-cards.js';
import type { AccountState } from '#account/state.js';
import { productOf } from '#rating/named-resource.js';
import type { LiveTerms } from './live-terms.js';

/** Where prices are looked up. */
export type PriceSource = Pick<LiveTerms, 'state' | 'has' | 'refresh' | 'sells' | 'terms'>;

/**
 * Terms of an account's calls: calendar and rate cards. A card that an account names may be a
 * moment old, and so may one that a test clock moved to, and the first of a product. Throws
 * AccountingUnavailableError where a card may be missing.
 */
export async function currentTerms(
  source: PriceSource,
  state: Pick<AccountState, 'rateCard' | 'rateCards' | 'testClock'>,
  items: readonly Pick<QuoteItem, 'resource'>[] = [],
): Promise<Terms> {
  const { ready, detail = '' } = source.state();
  if (!ready) throw new AccountingUnavailableError(`A rate card may be missing: ${detail}`);
  const isNew = items.some(({ resource }) => !source.sells(productOf(resource)));
  if (state.testClock !== null || isNew) await source.refresh();
  for (const version of ownCards(state)) await source.has(version);
  return source.terms();
}
