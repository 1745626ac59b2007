import type { SystemStream } from '#event-log/system-stream.js';
import type { RateCard } from '#rating/rate-card.js';
import { RATE_CARDS, type PublishedRateCard } from '#rating/rate-card-events.js';

/** Prices that are announced, for forecasts: those of now, or as of a moment in ms since 1970. */
export type CardSource = (asOf?: number | null) => Promise<readonly RateCard[]>;

/** Without it a forecast goes on with the prices of the calls that were made. */
export const NO_CARDS: CardSource = () => Promise.resolve([]);

const FRESH_MS = 10_000;

/** The published cards, as of some seconds ago: a card prices no window that begins before. */
export function knownCards(
  system: Pick<SystemStream, 'read'>,
  clock: { readonly now: () => number },
): CardSource {
  let known: readonly PublishedRateCard[] = [];
  let readAt = -Infinity;
  return async (asOf = null) => {
    if (Math.abs(clock.now() - readAt) >= FRESH_MS) {
      known = await system.read(RATE_CARDS);
      readAt = clock.now();
    }
    const until = asOf ?? Infinity;
    return known.flatMap(({ card, publishedAt }) => ((publishedAt ?? 0) <= until ? [card] : []));
  };
}
