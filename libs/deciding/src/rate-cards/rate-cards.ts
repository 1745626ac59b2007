import { AccountingUnavailableError } from '#account/charging.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import {
  RATE_CARD_PUBLISHED,
  RATE_CARDS,
  type PublishedRateCard,
  type RateCardPublished,
} from '#rating/rate-card-events.js';
import { decidePublication, type ProposedRateCard } from '#rating/publish-rate-card.js';
import { productOf } from '#rating/named-resource.js';
import type { PartState } from '#web/readiness.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Change } from '../changes/change.js';
import type { ChangeResult } from '../changes/change-result.js';
import type { WithoutOrigin, SystemChanges } from '../changes/system-changes.js';
import type { LiveTerms } from '../live-terms.js';

/** Sets the ids of these commands apart from those of accounts. */
const SCOPE = 'rate-cards';

export interface RateCardsParts {
  readonly changes: SystemChanges;
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

  /** Whether an account may name this version for a product. Throws LogUnavailableError. */
  async has(version: number, product: string): Promise<boolean> {
    const { liveTerms } = this.parts;
    if (!(await liveTerms.has(version))) return false;
    const found = liveTerms.published().find(({ card }) => card.version === version);
    return found !== undefined && productOf(found.card) === product;
  }

  /**
   * Publishes a card without faults, once. Answers the card behind all that were published before
   * it. Throws a ProblemException (`conflict`, or what every change refuses with), and
   * AccountingUnavailableError and LogUnavailableError (surely not published).
   */
  async publish(
    change: Change,
    proposed: ProposedRateCard,
  ): Promise<ChangeResult<readonly PublishedRateCard[]>> {
    const { changes, clock, calendar, clockState } = this.parts;
    const made = changes.of(SCOPE, change);
    const { event, replayed, value } = await made.append(RATE_CARDS, (before) => {
      const { ready, detail = '' } = clockState();
      if (!ready) throw new AccountingUnavailableError(`The clock cannot be trusted: ${detail}`);
      const now = clock.now();
      const cards = before.map(({ card }) => card);
      const decision = decidePublication({ cards, proposed, now, calendar });
      if (decision.outcome === 'refused') {
        throw new ProblemException(problem('conflict', decision.detail));
      }
      const data: WithoutOrigin<RateCardPublished> = decision.card;
      return { type: RATE_CARD_PUBLISHED, at: now, data };
    });
    if (event === null) throw new Error(`Command ${made.id} published no card.`);
    const { version } = JSON.parse(event.data) as RateCardPublished;
    return { view: value.filter(({ card }) => card.version <= version), replayed };
  }
}
