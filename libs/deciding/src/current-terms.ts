import { AccountingUnavailableError } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import type { AccountState } from '#account/state.js';
import type { LiveTerms } from './live-terms.js';

/** Where prices are looked up. */
export type PriceSource = Pick<LiveTerms, 'state' | 'has' | 'refresh' | 'terms'>;

/**
 * Terms of an account's calls: calendar and rate cards. A card that an account names may be a
 * moment old, and so may one that a test clock moved to. Throws AccountingUnavailableError where a
 * card may be missing.
 */
export async function currentTerms(
  source: PriceSource,
  { rateCard, testClock }: Pick<AccountState, 'rateCard' | 'testClock'>,
): Promise<Terms> {
  const { ready, detail = '' } = source.state();
  if (!ready) throw new AccountingUnavailableError(`A rate card may be missing: ${detail}`);
  if (testClock !== null) await source.refresh();
  if (rateCard !== null) await source.has(rateCard);
  return source.terms();
}
