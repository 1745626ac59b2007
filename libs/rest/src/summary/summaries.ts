import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatMoment } from '#calendar/instant.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { withTransaction } from '#database/database.js';
import { retryWhileShardsMove } from '#event-log/query-by-lane.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import { type LogTools } from '../system/log-tools.js';
import { readAccountIds, readAccountSums } from './account-sums.js';
import { readChanges } from './spend-changes.js';
import { readMoney } from './money-sums.js';
import { readRefusals } from './refusal-sums.js';
import type { Summary } from './summary.schemas.js';

const KEPT_MS = 30_000;

type Figures = Omit<Summary, 'last_verification'>;

interface Kept {
  readonly at: number;
  readonly view: Promise<Figures>;
}

/** Figures about all customers or all test accounts, read at most once in half a minute. */
export class Summaries {
  private readonly kept = new Map<boolean | null, Kept>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
    private readonly reads: AccountReads,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly tools: Pick<LogTools, 'verifications'>,
  ) {}

  /** `test`: of test accounts, or of customers; null: of customers, unless there are none. */
  async summary(test: boolean | null): Promise<Summary> {
    const [figures, all] = await Promise.all([this.figures(test), this.tools.verifications.all()]);
    return { ...figures, last_verification: all.at(-1) ?? null };
  }

  private async figures(test: boolean | null): Promise<Figures> {
    const now = this.clock.now();
    const before = this.kept.get(test);
    if (before !== undefined && now - before.at < KEPT_MS) return before.view;
    const kept = { at: now, view: this.read(now, test) };
    this.kept.set(test, kept);
    try {
      return await kept.view;
    } catch (error) {
      if (this.kept.get(test) === kept) this.kept.delete(test);
      throw error;
    }
  }

  /** In one snapshot; the changes are those of days that are over. */
  private async read(now: number, asked: boolean | null): Promise<Figures> {
    const { pool, calendar, loader, reads } = this;
    const figures = await retryWhileShardsMove(() =>
      withTransaction(pool, (client) => this.readFigures(client, now, asked), 'repeatable read'),
    );
    const changes = await readChanges({ pool, calendar, loader, reads }, now, figures.test);
    return { at: formatMoment(now), ...figures, changes };
  }

  private async readFigures(
    client: pg.ClientBase,
    now: number,
    asked: boolean | null,
  ): Promise<Omit<Figures, 'at' | 'changes'>> {
    const { calendar } = this;
    const { customers, tests } = await readAccountIds(client);
    const test = asked ?? (customers.length === 0 && tests.length > 0);
    const [own, others] = test ? [tests, customers] : [customers, tests];
    const { liabilities, ...sums } = await readAccountSums(client, calendar, now, own);
    const money = await readMoney(client, calendar, { now, test, liabilities });
    const held_invoices = money.reduce((sum, one) => sum + one.held_invoices, 0);
    const refusals = await readRefusals(client, now, others);
    return { test, money, held_invoices, ...sums, refusals };
  }
}
