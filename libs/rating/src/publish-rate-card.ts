import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import { INDEX } from './index-keys.js';
import { productOf } from './named-resource.js';
import type { RateCard } from './rate-card.js';

/** A card that is to be published; its version is the next number. */
export type ProposedRateCard = Omit<RateCard, 'version'>;

export interface Publication {
  /** All cards so far, by version. */
  readonly cards: readonly RateCard[];
  readonly proposed: ProposedRateCard;
  /** The corrected present, ms since 1970. */
  readonly now: number;
  readonly calendar: Pick<Calendar, 'windowAt' | 'nextWindow'>;
}

export type PublicationOutcome =
  | { readonly outcome: 'publish'; readonly card: RateCard }
  | { readonly outcome: 'refused'; readonly detail: string };

/** Least time between a card's publication and its window: every process has read it by then. */
export const NOTICE_MS = 60_000;

/**
 * Decides whether a card without faults may be published now (contract 4): never for a window that
 * has begun or begins in less than 60 s, unless it is the first one of its product, which is in
 * force at once. Pure: the writer of the log asks again when another event came between.
 */
export function decidePublication(publication: Publication): PublicationOutcome {
  const { cards, proposed, now, calendar } = publication;
  const product = productOf(proposed);
  const running = calendar.windowAt(now).label;
  const isFirst = !cards.some((card) => productOf(card) === product);
  const asked = isFirst ? (proposed.effective_window ?? running) : proposed.effective_window;
  const isAtOnce = isFirst && asked === running;
  const detail = isAtOnce ? null : refusalOf(asked, now, calendar);
  if (detail !== null) return { outcome: 'refused', detail };
  const version = Math.max(...cards.map((card) => card.version)) + 1;
  const { repeat = 'week', call_cost, rules } = proposed;
  return {
    outcome: 'publish',
    card: {
      version,
      ...(product !== INDEX && { product }),
      ...(repeat !== 'week' && { repeat }),
      effective_window: asked,
      call_cost,
      rules,
    },
  };
}

function refusalOf(
  label: string | null,
  now: number,
  calendar: Publication['calendar'],
): string | null {
  if (label === null) return null;
  const earliest = earliestWindow(now, calendar);
  // Labels sort as text in the order of time.
  if (label >= earliest.label) return null;
  const running = calendar.windowAt(now).label;
  const why =
    label <= running ? 'has begun already' : `begins in less than ${NOTICE_MS / 1000} seconds`;
  return `Window ${label} ${why}; the next one that a rate card can begin with is ${earliest.label}.`;
}

/** The next window that begins at least 60 s after now. */
function earliestWindow(now: number, calendar: Publication['calendar']): Window {
  const next = calendar.nextWindow(calendar.windowAt(now));
  return next.startsAt - now >= NOTICE_MS ? next : calendar.nextWindow(next);
}
