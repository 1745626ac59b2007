import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatMoment } from '#calendar/instant.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { countHeld } from '#projections/invoices/held-invoices.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import { type LogTools } from '../system/log-tools.js';
import { readChanges } from './spend-changes.js';
import { readMoney } from './money-sums.js';
import { readRefusals } from './refusal-sums.js';
import type { Summary } from './summary.schemas.js';

const KEPT_MS = 30_000;

type Figures = Omit<Summary, 'last_verification'>;

/** Figures about all customers, read at most once in half a minute. */
export class Summaries {
  private kept: { readonly at: number; readonly view: Promise<Figures> } | null = null;

  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
    private readonly reads: AccountReads,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly tools: Pick<LogTools, 'verifications'>,
  ) {}

  async summary(): Promise<Summary> {
    const [figures, all] = await Promise.all([this.figures(), this.tools.verifications.all()]);
    return { ...figures, last_verification: all.at(-1) ?? null };
  }

  private async figures(): Promise<Figures> {
    const now = this.clock.now();
    if (this.kept !== null && now - this.kept.at < KEPT_MS) return this.kept.view;
    const kept = { at: now, view: this.read(now) };
    this.kept = kept;
    try {
      return await kept.view;
    } catch (error) {
      if (this.kept === kept) this.kept = null;
      throw error;
    }
  }

  private async read(now: number): Promise<Figures> {
    const { pool, calendar, loader, reads } = this;
    const test = await hasTestsOnly(pool);
    const [money, held, changes, refusals] = await Promise.all([
      readMoney(pool, calendar, now, test),
      countHeld(pool, test),
      readChanges({ pool, calendar, loader, reads }, now, test),
      readRefusals(pool, now),
    ]);
    return { at: formatMoment(now), test, money, held_invoices: held, changes, refusals };
  }
}

/** Whether there are accounts, and all of them are for tests. */
async function hasTestsOnly(pool: pg.Pool): Promise<boolean> {
  const real = await pool.query({
    name: 'summary-real',
    text: `select from ledger_account a where not (a.state ->> 'test')::boolean limit 1`,
  });
  if (real.rowCount !== 0) return false;
  const any = await pool.query({
    name: 'summary-any',
    text: 'select from ledger_account a limit 1',
  });
  return any.rowCount !== 0;
}
