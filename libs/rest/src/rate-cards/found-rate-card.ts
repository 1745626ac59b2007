import type { PublishedRateCard } from '#rating/rate-card-events.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
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

/**
 * Makes sure that a card that an account is to be priced by is published. Throws a ProblemException
 * (`invalid-body`) that names the member.
 */
export async function requireRateCard(
  rateCards: Pick<RateCards, 'has'>,
  version: number | null,
  pointer: string,
): Promise<void> {
  if (version === null || (await rateCards.has(version))) return;
  throw invalidBody([{ pointer, detail: NO_SUCH_CARD }]);
}
