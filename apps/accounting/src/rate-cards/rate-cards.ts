import { AccountingUnavailableError } from '#account/charging.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import {
  publishedRateCards,
  RATE_CARD_PUBLISHED,
  type PublishedRateCard,
  type RateCardPublished,
} from '#rating/rate-card-events.js';
import { decidePublication, type ProposedRateCard } from '#rating/publish-rate-card.js';
import type { PartState } from '#web/readiness.js';
import { originOf, type Change } from '../accounts/change.js';
import type { LiveTerms } from './live-terms.js';

/** What a request to publish a card has led to. */
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
  readonly stream: Pick<SystemStream, 'append'>;
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
    let outcome: PublishOutcome | undefined;
    await stream.append((events) => {
      const first = events.findIndex(({ callId }) => callId === commandId);
      if (first >= 0) {
        outcome = replay(events.slice(0, first + 1), change);
        return null;
      }
      const { ready, detail = '' } = clockState();
      if (!ready) throw new AccountingUnavailableError(`The clock cannot be trusted: ${detail}`);
      const now = clock.now();
      const before = publishedRateCards(events);
      const cards = before.map(({ card }) => card);
      const decision = decidePublication({ cards, proposed, now, calendar });
      if (decision.outcome === 'refused') {
        outcome = decision;
        return null;
      }
      const data: RateCardPublished = { ...decision.card, ...originOf(change, reason) };
      const event = { type: RATE_CARD_PUBLISHED, at: now, data: JSON.stringify(data) };
      outcome = {
        outcome: 'published',
        cards: publishedRateCards([...events, event]),
        replayed: false,
      };
      return { callId: commandId, type: RATE_CARD_PUBLISHED, at: now, data };
    });
    if (outcome === undefined) throw new Error('The log did not ask for a decision.');
    return outcome;
  }
}

/** `events`: those of the stream up to the one that an earlier command of this id made. */
function replay(events: readonly StoredEvent[], { input }: Change): PublishOutcome {
  const first = events.at(-1);
  const data = JSON.parse(first?.data ?? '{}') as Partial<RateCardPublished>;
  const isSame = first?.type === RATE_CARD_PUBLISHED && data.input === input;
  if (!isSame) return { outcome: 'idempotency-conflict' };
  return { outcome: 'published', cards: publishedRateCards(events), replayed: true };
}
