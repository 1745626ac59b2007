import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Calendar } from '#calendar/calendar.js';
import { AppendUncertainError } from '#event-log/event-log.js';
import type { PublishedRateCard } from '#rating/rate-card-events.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { unknownOutcome } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import type { Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import type { PublishRateCardBody } from './publish-rate-card.body.js';
import { rateCardView, type RateCardView } from './rate-card-view.js';
import { RateCards, type PublishOutcome } from '#deciding/rate-cards/rate-cards.js';

/** What sets the ids of these commands apart from those of accounts. */
const SCOPE = 'rate-cards';

export class PublishRateCardCommand extends Command<Made<RateCardView>> {
  constructor(
    readonly change: Change,
    readonly body: PublishRateCardBody,
  ) {
    super();
  }
}

@CommandHandler(PublishRateCardCommand)
export class PublishRateCardHandler implements ICommandHandler<PublishRateCardCommand> {
  constructor(
    @Inject(RateCards) private readonly rateCards: RateCards,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Calendar) private readonly calendar: Calendar,
  ) {}

  async execute({ change, body }: PublishRateCardCommand): Promise<Made<RateCardView>> {
    const id = this.ids.next(SCOPE, change);
    const outcome = await this.publish(id, change, body);
    switch (outcome.outcome) {
      case 'refused':
        throw new ProblemException(problem('conflict', outcome.detail));
      case 'idempotency-conflict':
        throw new ProblemException(refusalProblem({ reason: outcome.outcome, callId: id }));
      case 'published':
        return { view: this.asPublished(outcome.cards), replayed: outcome.replayed };
    }
  }

  private async publish(
    id: string,
    change: Change,
    { proposed, reason }: PublishRateCardBody,
  ): Promise<PublishOutcome> {
    try {
      return await this.rateCards.publish(id, change, proposed, reason);
    } catch (error) {
      if (error instanceof AppendUncertainError) throw unknownOutcome(id);
      throw error;
    }
  }

  /** The last card as it was when it was published, so that a retry is answered as the first was. */
  private asPublished(cards: readonly PublishedRateCard[]): RateCardView {
    const card = cards.at(-1);
    if (card === undefined || card.publishedAt === null) throw new Error('No card was published.');
    return rateCardView(card, cards, card.publishedAt, this.calendar);
  }
}
