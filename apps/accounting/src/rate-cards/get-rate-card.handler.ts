import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { CLOCK } from '#rest/operation/ports.js';
import { foundRateCard } from './found-rate-card.js';
import { rateCardView, type RateCardView } from './rate-card-view.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';

/** `version`: as it stands in the path. */
export class GetRateCardQuery extends Query<RateCardView> {
  constructor(readonly version: string) {
    super();
  }
}

@QueryHandler(GetRateCardQuery)
export class GetRateCardHandler implements IQueryHandler<GetRateCardQuery> {
  constructor(
    @Inject(RateCards) private readonly rateCards: RateCards,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ version }: GetRateCardQuery): Promise<RateCardView> {
    const all = await this.rateCards.published();
    return rateCardView(foundRateCard(all, version), all, this.clock.now(), this.calendar);
  }
}
