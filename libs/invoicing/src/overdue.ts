import type pg from 'pg';
import type { InvoiceRecord, InvoiceSealed } from '#account/billing-events.js';
import { momentOf } from '#account/state.js';
import { overdueAmount } from '#invoice-rules/invoice-account.js';
import { reminderDue } from '#invoice-rules/reminders.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { invoicesIn, readBilling, sumsOf } from '#projections/invoices/account-billing.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { readSeller } from '#projections/invoices/seller-row.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { overdueIdOf, reminderIdOf } from '#projections/events/document-ids.js';
import type { Decider } from '#deciding/submission.js';
import { readAccountsOverdue } from './to-do-reads.js';

export interface OverdueParts {
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'read'>;
  readonly accounting: Decider;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** An event that is due, under the one id that it can have. */
interface DueRecord {
  readonly callId: string;
  readonly record: InvoiceRecord;
}

const ATTEMPTS_MAX = 10;
const WAIT_MS = 10_000;

/**
 * Records once of each invoice that the day after its due date has begun and something is due, and
 * once each day after it on which the seller reminds.
 */
export class OverdueInvoices {
  constructor(private readonly parts: OverdueParts) {}

  /** Accounts in real time that may have something to report. */
  async candidates(): Promise<readonly string[]> {
    const { pool, calendar, clock } = this.parts;
    const today = calendar.dayAt(clock.now()).label;
    return readAccountsOverdue(pool, today, await this.reminderDays());
  }

  /** Reports all overdue invoices of an account, on its own clock. Returns how much that was. */
  async report(accountId: string): Promise<number> {
    let reported = 0;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX;) {
      const outcome = await this.reportNext(accountId);
      if (outcome === 'nothing') return reported;
      if (outcome === 'reported') reported += 1;
      else attempt += 1;
    }
    return reported;
  }

  private async reportNext(accountId: string): Promise<'reported' | 'moved' | 'nothing'> {
    const { pool, loader, calendar, clock } = this.parts;
    const { accounts } = await loader.loadCores([accountId]);
    const state = accounts.get(accountId)?.state;
    if (state === undefined || state.version === 0) return 'nothing';
    const today = calendar.dayAt(momentOf(state, clock.now())).label;
    const billing = await readBilling(pool, accountId);
    const days = await this.reminderDays();
    for (const invoice of invoicesIn(billing)) {
      const account = sumsOf(invoice, billing);
      const due = overdueAmount(account, today);
      if (due !== null) return this.record(accountId, overdue(invoice, due), billing.version);
      const after = reminderDue(account, days, today);
      if (after === null) continue;
      const record = await this.reminder(invoice, after, account.due);
      if (record !== undefined) return this.record(accountId, record, billing.version);
    }
    return 'nothing';
  }

  /** Undefined while the invoice has no number. */
  private async reminder(
    { invoice_id, due_date, currency }: InvoiceSealed,
    days: number,
    due: number,
  ): Promise<DueRecord | undefined> {
    const [issued] = await findNumbersOf(this.parts.pool, [invoice_id]);
    if (issued === undefined) return undefined;
    const { number } = issued.data;
    return {
      callId: reminderIdOf(invoice_id, days),
      record: { type: 'ReminderDue', data: { invoice_id, number, days, due_date, due, currency } },
    };
  }

  private async reminderDays(): Promise<readonly number[]> {
    const { pool, system } = this.parts;
    return (await readSeller(pool, system)).reminder_days ?? [];
  }

  private async record(
    accountId: string,
    { callId, record }: DueRecord,
    after: number,
  ): Promise<'reported' | 'moved'> {
    const { refusal } = await this.parts.accounting.submit({
      accountId,
      callId,
      isRetry: true,
      notAfter: this.parts.clock.now() + WAIT_MS,
      command: {
        command: 'record-billing',
        origin: { by: 'system', request: '', input: callId },
        after,
        record,
      },
    });
    return refusal === null ? 'reported' : 'moved';
  }
}

function overdue({ invoice_id, due_date, currency }: InvoiceSealed, due: number): DueRecord {
  const data = { invoice_id, due_date, due, currency };
  return { callId: overdueIdOf(invoice_id), record: { type: 'InvoiceOverdue', data } };
}
