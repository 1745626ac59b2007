import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import pg from 'pg';
import { formatInstant } from '#calendar/instant.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { RateCard } from '#rating/rate-card.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import { NO_SUCH_CARD } from './found-rate-card.js';
import type { PreviewRateCardBody, TriedCard } from './preview-rate-card.body.js';
import { PreviewTooLargeError } from './preview-sums.js';
import { previewRateCard, type Preview } from './rate-card-preview.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';

export interface PreviewView extends Preview {
  /** Null of prices that are not published. */
  readonly version: number | null;
  readonly from: string;
  readonly to: string;
  readonly next: null;
}

/** `test`: with test accounts. `signal`: nobody waits for it any more. */
export class PreviewRateCardQuery extends Query<PreviewView> {
  constructor(
    readonly body: PreviewRateCardBody,
    readonly test: boolean,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

const TOO_LARGE =
  'By this card the calls would have cost more credits than 2^53 - 1, which none of them could.';

/** One at a time: each reads as fast as the database gives. */
@QueryHandler(PreviewRateCardQuery)
export class PreviewRateCardHandler implements IQueryHandler<PreviewRateCardQuery> {
  private isBusy = false;

  constructor(
    @Inject(RateCards) private readonly rateCards: RateCards,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  async execute({ body, test, signal }: PreviewRateCardQuery): Promise<PreviewView> {
    const { from, to, accountId } = body;
    const card = await this.cardOf(body.card);
    await this.requireAccount(accountId);
    if (this.isBusy) {
      throw refused('conflict', 'This process works out another preview; ask again after it.');
    }
    this.isBusy = true;
    try {
      const scope = { from, to, accountId, test };
      const preview = await previewRateCard(this.pool, card, scope, signal);
      const version = 'version' in body.card ? body.card.version : null;
      return { version, from: formatInstant(from), to: formatInstant(to), ...preview, next: null };
    } catch (error) {
      if (error instanceof PreviewTooLargeError) throw refused('conflict', TOO_LARGE);
      if (signal.aborted) throw refused('timeout', 'Nobody waits for the preview any more.');
      throw error;
    } finally {
      this.isBusy = false;
    }
  }

  private async cardOf(tried: TriedCard): Promise<Pick<RateCard, 'call_cost' | 'rules'>> {
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
