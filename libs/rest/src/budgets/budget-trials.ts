import type { Calendar } from '#calendar/calendar.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { EVERY_CALL, type AccountReads } from '#projections/views/account-reads.js';
import type { TriedBudget, TryBudget } from './budget.schemas.js';
import { TriedLimit } from './tried-limit.js';

const CALLS_MAX = 100_000;

/** A stretch of time with its label; ms since 1970. */
interface Period {
  readonly label: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Limits that are tried on calls that were made. */
export class BudgetTrials {
  constructor(
    private readonly reads: Pick<AccountReads, 'account' | 'everyCall'>,
    private readonly calendar: Calendar,
  ) {}

  /** Throws a ProblemException (`not-found`). */
  async of(accountId: string, asked: TryBudget): Promise<TriedBudget> {
    const account = foundAccount(await this.reads.account(accountId));
    const running = this.periodAt(asked.period, Date.parse(account.now));
    const before = this.periodAt(asked.period, running.startsAt - 1);
    const now = await this.tryOn(accountId, asked, running);
    const then = await this.tryOn(accountId, asked, before);
    return { spent_credits: now.credits_used, periods: [now, then] };
  }

  private periodAt(period: TryBudget['period'], at: number): Period {
    return period === 'month' ? this.calendar.monthAt(at) : this.calendar.windowAt(at);
  }

  private async tryOn(
    accountId: string,
    { limit_credits: limit, api_key_id: apiKeyId }: TryBudget,
    { label, startsAt: from, endsAt: to }: Period,
  ): Promise<TriedBudget['periods'][0]> {
    const filter = { ...EVERY_CALL, limit: 1, from, to, apiKeyId };
    const trial = new TriedLimit(limit);
    for await (const calls of foundAccount(await this.reads.everyCall(accountId, filter))) {
      for (const call of calls) if (trial.calls < CALLS_MAX) trial.add(call);
      if (trial.calls >= CALLS_MAX) break;
    }
    return {
      period: label,
      calls: trial.calls,
      credits_used: trial.creditsUsed,
      refused_calls: trial.refusedCalls,
      refused_credits: trial.refusedCredits,
      first_refused_at: trial.firstRefusedAt,
      is_whole: trial.calls < CALLS_MAX,
    };
  }
}
