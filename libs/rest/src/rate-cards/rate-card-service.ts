import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { RateCards } from '#deciding/rate-cards/rate-cards.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { diffRateCards } from '#rating/diff-rate-cards.js';
import { invalidBody } from '#web/body.js';
import { pageBy } from '../operation/queries.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { productOf } from '#rating/named-resource.js';
import { findInForce } from '#rating/rate.js';
import type { PublishedRateCard } from '#rating/rate-card-events.js';
import type { Outcome } from '../operation/operation.js';
import { foundRateCard, NO_SUCH_CARD } from './found-rate-card.js';
import { PreviewTooLargeError, UnpricedUnitsError } from './preview-sums.js';
import {
  parsePreviewRateCard,
  type PreviewRateCardBody,
  type PublishRateCardBody,
  type TriedCard,
} from './rate-card-bodies.js';
import { previewRateCard, type PreviewedCard } from './rate-card-preview.js';
import type { RateCard, RateCardDiff, RateCardPreview } from './rate-card.schemas.js';

const TOO_LARGE =
  'By this card the calls would have cost more credits than 2^53 - 1, which none of them could.';

/** The rate cards: read, compared, previewed and published. `version`: as it stands in the path. */
export class RateCardService {
  private isBusy = false;

  constructor(
    private readonly rateCards: RateCards,
    private readonly loader: AccountLoader,
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** By version. */
  async list(query: PageQuery): Promise<Table<RateCard>> {
    const page = pageBy(query);
    const all = await this.rateCards.published();
    const now = this.clock.now();
    const { items, next } = page(all);
    return { items: items.map((card) => rateCardView(card, all, now, this.calendar)), next };
  }

  async get(version: string): Promise<RateCard> {
    const all = await this.rateCards.published();
    return rateCardView(foundRateCard(all, version), all, this.clock.now(), this.calendar);
  }

  async diff(version: string, against: number): Promise<RateCardDiff> {
    const all = await this.rateCards.published();
    const { card } = foundRateCard(all, version);
    const other = all.find((each) => each.card.version === against);
    if (other === undefined) throw unknownOther(against);
    return { version: card.version, against, ...diffRateCards(other.card, card) };
  }

  async publish(change: Change, { proposed }: PublishRateCardBody): Promise<Outcome<RateCard>> {
    const { view: cards, replayed } = await this.rateCards.publish(change, proposed);
    // The last card as it was when it was published, so that a retry is answered as the first was.
    const card = cards.at(-1);
    if (card === undefined || card.publishedAt === null) throw new Error('No card was published.');
    return { view: rateCardView(card, cards, card.publishedAt, this.calendar), replayed };
  }

  readPreview(body: unknown): PreviewRateCardBody {
    return parsePreviewRateCard(body, this.calendar);
  }

  /** One at a time: each reads as fast as the database gives. `signal`: nobody waits any more. */
  async preview(
    { card: tried, from, to, accountId }: PreviewRateCardBody,
    test: boolean,
    signal: AbortSignal,
  ): Promise<RateCardPreview> {
    const card = await this.cardOf(tried);
    await this.requireAccount(accountId);
    if (this.isBusy) {
      throw refused('conflict', 'This process works out another preview; ask again after it.');
    }
    this.isBusy = true;
    try {
      const scope = { from, to, accountId, test };
      const preview = await previewRateCard(this.pool, card, scope, signal);
      const version = 'version' in tried ? tried.version : null;
      return { version, from: formatInstant(from), to: formatInstant(to), ...preview, next: null };
    } catch (error) {
      if (error instanceof PreviewTooLargeError) throw refused('conflict', TOO_LARGE);
      if (error instanceof UnpricedUnitsError) throw refused('conflict', error.message);
      if (signal.aborted) throw refused('timeout', 'Nobody waits for the preview any more.');
      throw error;
    } finally {
      this.isBusy = false;
    }
  }

  private async cardOf(tried: TriedCard): Promise<PreviewedCard> {
    if (!('version' in tried)) return tried;
    const all = await this.rateCards.published();
    const found = all.find(({ card }) => card.version === tried.version);
    if (found === undefined) throw invalidBody([{ pointer: '/version', detail: NO_SUCH_CARD }]);
    return found.card;
  }

  private async requireAccount(id: string | null): Promise<void> {
    if (id === null) return;
    const { accounts } = await this.loader.loadCores([id]);
    if ((accounts.get(id)?.state.version ?? 0) > 0) return;
    throw invalidBody([{ pointer: '/account_id', detail: 'There is no such account.' }]);
  }
}

function refused(slug: 'conflict' | 'timeout', detail: string): ProblemException {
  return new ProblemException(problem(slug, detail));
}

function unknownOther(against: number): ProblemException {
  const fault = { name: 'against', value: String(against), detail: NO_SUCH_CARD } as const;
  return new ProblemException(invalidParameters([{ in: 'query', ...fault }]));
}

/** One of `all` cards at a moment (ms since 1970). */
function rateCardView(
  { card, publishedAt, by, reason }: PublishedRateCard,
  all: readonly PublishedRateCard[],
  now: number,
  calendar: Calendar,
): RateCard {
  const { version, effective_window: label } = card;
  const product = productOf(card);
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
    product,
    repeat: card.repeat ?? 'week',
    in_force: findInForce(cards, running.label, product)?.version === version,
    in_force_next: findInForce(cards, next.label, product)?.version === version,
    published_at: publishedAt === null ? null : formatMoment(publishedAt),
    published_by: by,
    reason,
  };
}
