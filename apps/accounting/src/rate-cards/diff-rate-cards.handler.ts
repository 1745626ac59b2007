import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { diffRateCards, type RateCardDiff } from '#rating/diff-rate-cards.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { foundRateCard, NO_SUCH_CARD } from './found-rate-card.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';

export interface RateCardDiffView extends RateCardDiff {
  readonly version: number;
  readonly against: number;
}

/** What a card changes against another one. `version`: as it stands in the path. */
export class DiffRateCardsQuery extends Query<RateCardDiffView> {
  constructor(
    readonly version: string,
    readonly against: number,
  ) {
    super();
  }
}

@QueryHandler(DiffRateCardsQuery)
export class DiffRateCardsHandler implements IQueryHandler<DiffRateCardsQuery> {
  constructor(@Inject(RateCards) private readonly rateCards: RateCards) {}

  async execute({ version, against }: DiffRateCardsQuery): Promise<RateCardDiffView> {
    const all = await this.rateCards.published();
    const { card } = foundRateCard(all, version);
    const other = all.find((each) => each.card.version === against);
    if (other === undefined) throw unknownOther(against);
    return { version: card.version, against, ...diffRateCards(other.card, card) };
  }
}

function unknownOther(against: number): ProblemException {
  const fault = { name: 'against', value: String(against), detail: NO_SUCH_CARD } as const;
  return new ProblemException(invalidParameters([{ in: 'query', ...fault }]));
}
