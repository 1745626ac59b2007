import type pg from 'pg';
import { lastMonthIn, readBilling } from '#projections/invoices/account-billing.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { readClosedMonths } from '#projections/invoices/closed-months.js';
import { readRunningMonth } from '#projections/reads/draft.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { isBillable } from '#invoice-rules/invoice-lines.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { readClosesOf } from '#projections/invoices/account-closes.js';

/** Months of an account with something to bill that no numbered document bills yet. */
export class UnbilledMonths {
  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** Their labels, oldest first. What has fallen due must be in the log. */
  async of(accountId: string): Promise<readonly string[]> {
    const found = [
      ...(await this.unnumbered(accountId)),
      ...(await this.closed(accountId)),
      ...(await this.running(accountId)),
    ];
    return [...new Set(found)].toSorted();
  }

  private async unnumbered(accountId: string): Promise<string[]> {
    const { events } = await readBilling(this.pool, accountId);
    const sealed = events.flatMap(({ type, data }) => {
      if (type === 'InvoiceSealed') return [{ id: data.invoice_id, month: data.month }];
      if (type === 'CreditNoteSealed') return [{ id: data.credit_note_id, month: data.month }];
      return [];
    });
    const numbers = await findNumbersOf(
      this.pool,
      sealed.map(({ id }) => id),
    );
    const numbered = new Set(numbers.map(({ data }) => data.id));
    return sealed.flatMap(({ id, month }) => (numbered.has(id) ? [] : [month]));
  }

  /** A month whose calls are not in the rows of days yet counts as unbilled. */
  private async closed(accountId: string): Promise<string[]> {
    const invoiced = lastMonthIn(await readBilling(this.pool, accountId));
    const unbilled: string[] = [];
    for (const due of await readClosesOf(this.pool, accountId, invoiced)) {
      const [reading] = await withTransaction(
        this.pool,
        (client) => readClosedMonths(client, [due], this.calendar),
        'repeatable read',
      );
      if (reading === undefined || isBillable(reading.facts)) unbilled.push(due.month);
    }
    return unbilled;
  }

  private async running(accountId: string): Promise<string[]> {
    const state = await knownAccount(this.loader, accountId);
    const { facts, month } = await withTransaction(
      this.pool,
      (client) => readRunningMonth(client, accountId, state, this.clock.now(), this.calendar),
      'repeatable read',
    );
    return isBillable(facts) ? [month.label] : [];
  }
}
