import { INDEX } from '#rating/index-keys.js';
import type { PublishedRateCard } from '#rating/rate-card-events.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import type { JsonFault } from '#web/strict-json.js';
import type { RateCards } from '#deciding/rate-cards/rate-cards.js';

export const NO_SUCH_CARD = 'There is no rate card of that version.';

/** The card that a path names. Throws a ProblemException (`not-found`). */
export function foundRateCard(
  all: readonly PublishedRateCard[],
  version: string,
): PublishedRateCard {
  const found = all.find(({ card }) => String(card.version) === version);
  if (found !== undefined) return found;
  throw new ProblemException(problem('not-found', NO_SUCH_CARD));
}

/** Throws a ProblemException (`invalid-body`) with each version that is no card of its product. */
export async function requireRateCards(
  rateCards: Pick<RateCards, 'has'>,
  version: number | null | undefined,
  others: Readonly<Record<string, number | null>> = {},
): Promise<void> {
  const faults: JsonFault[] = [];
  const require = async (pointer: string, named: number | null, product: string) => {
    if (named === null || (await rateCards.has(named, product))) return;
    const detail = `There is no rate card of that version of product ${product}.`;
    faults.push({ pointer, detail: product === INDEX ? NO_SUCH_CARD : detail });
  };
  await require('/rate_card', version ?? null, INDEX);
  for (const [product, named] of Object.entries(others)) {
    const pointer = `/rate_cards/${product}`;
    if (product === INDEX) faults.push({ pointer, detail: 'Name it in rate_card.' });
    else await require(pointer, named, product);
  }
  if (faults.length > 0) throw invalidBody(faults);
}
