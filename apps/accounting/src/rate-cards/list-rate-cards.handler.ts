import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { Page } from '#ledger/account-reads.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { CLOCK } from '#rest/operation/ports.js';
import { rateCardView, type RateCardView } from './rate-card-view.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';

export class ListRateCardsQuery extends Query<Page<RateCardView>> {
  constructor(
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListRateCardsQuery)
export class ListRateCardsHandler implements IQueryHandler<ListRateCardsQuery> {
  constructor(
    @Inject(RateCards) private readonly rateCards: RateCards,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ after, limit }: ListRateCardsQuery): Promise<Page<RateCardView>> {
    const first = after === null ? 0 : decodeNumberCursor(after);
    const end = first + limit;
    const all = await this.rateCards.published();
    const now = this.clock.now();
    const items = all.slice(first, end).map((card) => rateCardView(card, all, now, this.calendar));
    return { items, next: end < all.length ? encodeCursor(end) : null };
  }
}
