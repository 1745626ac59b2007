import { AccountingUnavailableError } from '#account/charging.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import {
  RATE_CARD_PUBLISHED,
  RATE_CARDS,
  type PublishedRateCard,
  type RateCardPublished,
} from '#rating/rate-card-events.js';
import { decidePublication, type ProposedRateCard } from '#rating/publish-rate-card.js';
import type { PartState } from '#web/readiness.js';
import { originOf, type Change } from '../changes/change.js';
import type { LiveTerms } from '../live-terms.js';

/** The outcome of a request to publish a card. */
export type PublishOutcome =
  | {
      readonly outcome: 'published';
      /** The card, and all that were published before it, by version. */
      readonly cards: readonly PublishedRateCard[];
      /** Whether an earlier request under the same key published it. */
      readonly replayed: boolean;
    }
  | { readonly outcome: 'refused'; readonly detail: string }
  /** The idempotency key named another request. */
  | { readonly outcome: 'idempotency-conflict' };

export interface RateCardsParts {
  readonly stream: Pick<SystemStream, 'appendOnce'>;
  readonly liveTerms: LiveTerms;
  readonly calendar: Calendar;
  readonly clock: Clock;
  /** Whether the clock can be trusted: by a bad one a card could begin inside a window. */
  readonly clockState: () => PartState;
}

/** The rate cards as the log holds them, for those who look at them and those who publish one. */
export class RateCards {
  constructor(private readonly parts: RateCardsParts) {}

  /** All cards by version, as of a moment after the call. Throws LogUnavailableError. */
  async published(): Promise<readonly PublishedRateCard[]> {
    await this.parts.liveTerms.refresh();
    return this.parts.liveTerms.published();
  }

  /** Whether an account may name this version. Throws LogUnavailableError. */
  has(version: number): Promise<boolean> {
    return this.parts.liveTerms.has(version);
  }

  /**
   * Publishes a card without faults, once under a command's id. Resolves once it is durable. Throws
   * LogUnavailableError and AccountingUnavailableError (surely not published), and
   * AppendUncertainError.
   */
  async publish(
    commandId: string,
    change: Change,
    proposed: ProposedRateCard,
    reason?: string,
  ): Promise<PublishOutcome> {
    const { stream, clock, calendar, clockState } = this.parts;
    let refused: PublishOutcome | undefined;
    const { event, replayed, value } = await stream.appendOnce(commandId, RATE_CARDS, (before) => {
      const { ready, detail = '' } = clockState();
      if (!ready) throw new AccountingUnavailableError(`The clock cannot be trusted: ${detail}`);
      const now = clock.now();
      const cards = before.map(({ card }) => card);
      const decision = decidePublication({ cards, proposed, now, calendar });
      refused = decision.outcome === 'refused' ? decision : undefined;
      if (decision.outcome === 'refused') return null;
      const data: RateCardPublished = {
        ...decision.card,
        ...originOf({ ...change, reason: reason }),
      };
      return { type: RATE_CARD_PUBLISHED, at: now, data };
    });
    if (event === null) {
      if (refused === undefined) throw new Error('The log did not ask for a decision.');
      return refused;
    }
    return published(event, change, value, replayed);
  }
}

/** `event`: the one that this command or an earlier one of its id made. */
function published(
  { type, data: text }: StoredEvent,
  change: Change,
  known: readonly PublishedRateCard[],
  replayed: boolean,
): PublishOutcome {
  const { input, version } = JSON.parse(text) as Partial<RateCardPublished>;
  if (type !== RATE_CARD_PUBLISHED || input !== change.input || version === undefined) {
    return { outcome: 'idempotency-conflict' };
  }
  const cards = known.filter(({ card }) => card.version <= version);
  return { outcome: 'published', cards, replayed };
}
