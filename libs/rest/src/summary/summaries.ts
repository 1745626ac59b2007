import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatMoment } from '#calendar/instant.js';
import { AccountLoader } from '#ledger/loading/account-loader.js';
import { countHeld } from '#ledger/invoices/held-invoices.js';
import type { AccountReads } from '#ledger/views/account-reads.js';
import { ACCOUNT_READS, CLOCK } from '../operation/ports.js';
import { readChanges } from './spend-changes.js';
import { readMoney } from './money-sums.js';
import { readRefusals } from './refusal-sums.js';
import type { Summary } from './summary.schemas.js';

const KEPT_MS = 30_000;

/** Figures about all customers, read at most once in half a minute. */
@Injectable()
export class Summaries {
  private kept: { readonly at: number; readonly view: Promise<Summary> } | null = null;

  constructor(
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async summary(): Promise<Summary> {
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

  private async read(now: number): Promise<Summary> {
    const { pool, calendar, loader, reads } = this;
    const [money, held, changes, refusals] = await Promise.all([
      readMoney(pool, calendar, now),
      countHeld(pool),
      readChanges({ pool, calendar, loader, reads }, now),
      readRefusals(pool, now),
    ]);
    return { at: formatMoment(now), money, held_invoices: held, changes, refusals };
  }
}
