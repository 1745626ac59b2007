import type { PaymentRecorded } from '#account/billing-events.js';
import { refusePayment } from '#billing/invoice-account.js';
import type { InvoiceState } from '#billing/invoice.js';
import { formatMoment } from '#calendar/instant.js';
import type { InvoiceReads, PaymentView } from '#ledger/views/invoice-reads.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Made } from '#deciding/changes/made.js';
import type { Change } from '#deciding/changes/change.js';
import type { PaymentBody } from './invoice-bodies.js';
import type { Periods } from './periods.js';
import type { InvoiceChanges, InvoiceContext } from './invoice-changes.js';

/** A payment that was recorded, and how its invoice stands now. */
export interface RecordedPayment extends PaymentView {
  readonly invoice_number: string;
  readonly state: InvoiceState;
}

/** Records what was paid of invoices, by hand or by a bank's reference. */
export class Payments {
  constructor(
    private readonly changes: InvoiceChanges,
    private readonly reads: Pick<InvoiceReads, 'invoice'>,
    private readonly periods: Pick<Periods, 'dating' | 'refuseClosed'>,
  ) {}

  /** Throws a ProblemException: `conflict` for more than is due, or a date in a closed period. */
  async pay(number: string, change: Change, body: PaymentBody): Promise<Made<RecordedPayment>> {
    const { date: stated } = body;
    const record = () =>
      this.changes.record(number, change, async (context) => {
        if (stated !== undefined) await this.periods.refuseClosed(stated);
        return { record: decide(context, body) };
      });
    // Today lies in no month that could be closed.
    const recorded = stated === undefined ? record() : this.periods.dating(record);
    const { event, accountId, replayed } = await recorded;
    const invoice = await this.reads.invoice(accountId, number);
    if (invoice === undefined) throw new Error(`Invoice ${number} is gone.`);
    const data = JSON.parse(event.data) as PaymentRecorded;
    const { payment_id, amount, currency, date, reference } = data;
    const paid = { id: payment_id, amount, currency, date, reference };
    const view = { ...paid, recorded_at: formatMoment(event.at), invoice_number: number };
    return { view: { ...view, state: invoice.state }, replayed };
  }
}

function decide({ invoice, account, today, id }: InvoiceContext, body: PaymentBody) {
  const { amount, date = today, reference } = body;
  if (date > today)
    throw invalidBody([{ pointer: '/date', detail: `A date up to today, ${today}.` }]);
  const refusal = refusePayment(account, amount);
  if (refusal !== null) {
    throw new ProblemException(problem('conflict', refusal.detail, { due: refusal.due }));
  }
  const of = { payment_id: id, invoice_id: invoice.id, amount, currency: invoice.currency };
  return { type: 'PaymentRecorded', data: { ...of, date, reference } } as const;
}
