import type { Calendar } from '#calendar/calendar.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { cardInForce } from '#rating/rate.js';
import type { PublishedRateCard } from '#rating/rate-card-events.js';
import type { RateCard } from './rate-card.schemas.js';

/** One of `all` cards at a moment (ms since 1970). */
export function rateCardView(
  { card, publishedAt, by, reason }: PublishedRateCard,
  all: readonly PublishedRateCard[],
  now: number,
  calendar: Calendar,
): RateCard {
  const { version, effective_window: label } = card;
  const window = label === null ? undefined : calendar.windowOf(label);
  const running = calendar.windowAt(now);
  const next = calendar.nextWindow(running);
  const cards = all.map((each) => each.card);
  return {
    version,
    effective_window: label,
    effective_from: window === undefined ? null : formatInstant(window.startsAt),
    call_cost: card.call_cost,
    rules: card.rules,
    in_force: cardInForce(cards, running.label).version === version,
    in_force_next: cardInForce(cards, next.label).version === version,
    published_at: publishedAt === null ? null : formatMoment(publishedAt),
    published_by: by,
    reason,
  };
}
