import { RATE_CARD_1 } from './rate-card.js';
import type { RateCard } from './rate-card.js';

// These names are the stored format: members may be added, never renamed or removed.

/** Type of the event in the system's stream that publishes a rate card. */
export const RATE_CARD_PUBLISHED = 'RateCardPublished';

/** Data of `RateCardPublished`: the card, and who published it by which request, and why. */
export interface RateCardPublished extends RateCard {
  readonly by: string;
  readonly request: string;
  /** Digest of what was asked. */
  readonly input: string;
  readonly reason?: string;
}

/** An event of the system's stream, as far as it matters here. `at` is in ms since 1970. */
export interface SystemEvent {
  readonly type: string;
  readonly at: number;
  /** JSON text. */
  readonly data: string;
}

/** A rate card as the log records it; the first card is built in, and nobody published it. */
export interface PublishedRateCard {
  readonly card: RateCard;
  /** Ms since 1970. */
  readonly publishedAt: number | null;
  readonly by: string | null;
  readonly reason: string | null;
}

const BUILT_IN: PublishedRateCard = {
  card: RATE_CARD_1,
  publishedAt: null,
  by: null,
  reason: null,
};

/** The first card and all that the system's stream publishes, by version: a fold of its events. */
export const RATE_CARDS = {
  initial: (): readonly PublishedRateCard[] => [BUILT_IN],
  /** Another list after each card. */
  evolve: (cards: readonly PublishedRateCard[], event: SystemEvent) =>
    event.type === RATE_CARD_PUBLISHED ? [...cards, publishedRateCard(event)] : cards,
};

function publishedRateCard({ at: publishedAt, data }: SystemEvent): PublishedRateCard {
  const card = JSON.parse(data) as RateCardPublished;
  const { by, reason = null } = card;
  return { card: pricesOf(card), publishedAt, by, reason };
}

/** A card without what is stored beside it. */
function pricesOf({ version, ...card }: RateCard): RateCard {
  const { product, repeat, effective_window, call_cost, rules } = card;
  return {
    version,
    ...(product !== undefined && { product }),
    ...(repeat !== undefined && { repeat }),
    effective_window,
    call_cost,
    rules,
  };
}
