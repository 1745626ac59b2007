import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import { momentOf } from '#account/state.js';
import { overdueAmount } from '#billing/invoice-account.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { invoicesIn, readBilling, sumsOf } from '#ledger/invoices/account-billing.js';
import type { AccountLoader } from '#ledger/loading/account-loader.js';
import { overdueIdOf } from '#ledger/events/document-ids.js';
import type { Decider } from '#deciding/submission.js';

export interface OverdueParts {
  readonly pool: pg.Pool;
  readonly accounting: Decider;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

const ACCOUNTS_MAX = 200;
const ATTEMPTS_MAX = 10;
const WAIT_MS = 10_000;

/** Records once of each invoice that the day after its due date has begun and something is due. */
export class OverdueInvoices {
  constructor(private readonly parts: OverdueParts) {}

  /** Accounts in real time that may have overdue invoices. */
  async candidates(): Promise<readonly string[]> {
    const { pool, calendar, clock } = this.parts;
    const { rows } = await pool.query<{ account_id: string }>({
      name: 'invoices-overdue-candidates',
      text: `select distinct i.account_id
               from invoice i join ledger_account a using (lane, account_id)
              where i.due_date < $1 and not i.is_overdue and i.paid + i.credited + i.written_off < i.total
                and a.state ->> 'testClock' is null
                and not exists (select from damaged_account x
                               where x.lane = i.lane and x.account_id = i.account_id)
              limit ${ACCOUNTS_MAX}`,
      values: [calendar.dayAt(clock.now()).label],
    });
    return rows.map(({ account_id: accountId }) => accountId);
  }

  /** Reports all overdue invoices of an account, on its own clock. Returns their number. */
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
    for (const invoice of invoicesIn(billing)) {
      const due = overdueAmount(sumsOf(invoice, billing), today);
      if (due !== null) return this.record(accountId, invoice, due, billing.version);
    }
    return 'nothing';
  }

  private async record(
    accountId: string,
    invoice: InvoiceSealed,
    due: number,
    after: number,
  ): Promise<'reported' | 'moved'> {
    const { invoice_id, due_date, currency } = invoice;
    const callId = overdueIdOf(invoice_id);
    const { refusal } = await this.parts.accounting.submit({
      accountId,
      callId,
      mayExist: true,
      notAfter: this.parts.clock.now() + WAIT_MS,
      command: {
        command: 'record-billing',
        origin: { by: 'system', request: '', input: callId },
        after,
        record: { type: 'InvoiceOverdue', data: { invoice_id, due_date, due, currency } },
      },
    });
    return refusal === null ? 'reported' : 'moved';
  }
}
