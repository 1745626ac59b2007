import type { Terms } from '#account/decide-call.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { productOf } from '#rating/named-resource.js';
import type { RateCard } from '#rating/rate-card.js';
import { validateRateCard } from '#rating/rate-card.js';
import { RATE_CARDS, type PublishedRateCard } from '#rating/rate-card-events.js';
import type { PartState } from '#web/readiness.js';

export interface LiveTermsParts {
  readonly stream: Pick<SystemStream, 'read'>;
  readonly calendar: Calendar;
  /** The clock that stamps calls. */
  readonly clock: Clock;
  /** Called once for each time that the log goes out of sight. */
  readonly onFault: (error: unknown) => void;
  /** How often the log is looked at, 500 ms by default. */
  readonly pollMs?: number;
}

const POLL_MS = 500;
/**
 * A card is published 60 s before its window at the latest. A view of this age, a call that waits
 * 10 s after it was let in, a commit of the card that takes 6 s and two clocks that are 2 s off
 * each make 50 s: no call is ever priced by a set that lacks a card.
 */
const AGE_MS_MAX = 30_000;

/** Terms of calls, read from the log. `refresh` before the first use. */
export class LiveTerms {
  private cards: readonly PublishedRateCard[] = [];
  private current: Terms;
  private products: ReadonlySet<string> = new Set();
  /** The cards are all that were published by then. */
  private asOf = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = true;
  private isAway = false;

  constructor(private readonly parts: LiveTermsParts) {
    this.current = { calendar: parts.calendar, cards: [] };
  }

  /** The same object until another card is published. */
  terms(): Terms {
    return this.current;
  }

  /** Every card that this process knows of, by version. */
  published(): readonly PublishedRateCard[] {
    return this.cards;
  }

  /** Not ready to price: what it knows may lack a card by now. */
  state(): PartState {
    const ageMs = this.parts.clock.now() - this.asOf;
    if (ageMs <= AGE_MS_MAX) return { ready: true };
    const seconds = Math.round(ageMs / 1_000);
    return { ready: false, detail: `the log of rate cards was read ${seconds} s ago` };
  }

  /** Reads the published cards. Throws LogUnavailableError; then the cards stay as they are. */
  async refresh(): Promise<void> {
    const asOf = this.parts.clock.now();
    const cards = await this.parts.stream.read(RATE_CARDS);
    if (cards !== this.cards) this.takeIn(cards);
    this.asOf = Math.max(this.asOf, asOf);
  }

  /**
   * Whether there is a card of this version, by the log where this process knows of none yet:
   * another one may have published it a moment ago. Throws LogUnavailableError.
   */
  async has(version: number): Promise<boolean> {
    if (!this.knows(version)) await this.refresh();
    return this.knows(version);
  }

  /** Whether this process knows of a card of a product. */
  sells(product: string): boolean {
    return this.products.has(product);
  }

  start(): void {
    this.isStopped = false;
    this.plan();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private takeIn(published: readonly PublishedRateCard[]): void {
    const cards = published.map(({ card }) => card);
    cards.forEach(checkKnown);
    this.cards = published;
    this.products = new Set(cards.map(productOf));
    this.current = { calendar: this.parts.calendar, cards };
  }

  private knows(version: number): boolean {
    return this.current.cards.some((card) => card.version === version);
  }

  private plan(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.look(), this.parts.pollMs ?? POLL_MS);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    try {
      await this.refresh();
      this.isAway = false;
    } catch (error) {
      if (!this.isAway && !this.isStopped) this.parts.onFault(error);
      this.isAway = true;
    }
    this.plan();
  }
}

/** A member that only a newer program knows would be priced as if it were not there. */
function checkKnown(card: RateCard): void {
  const [fault] = validateRateCard(card);
  if (fault === undefined) return;
  const { pointer, detail } = fault;
  throw new Error(`Rate card ${card.version}: ${pointer} ${detail}. A newer version writes here.`);
}
