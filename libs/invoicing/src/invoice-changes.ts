import type pg from 'pg';
import { invoiceAccount, type InvoiceAccount } from '#invoice-rules/invoice-account.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { readDocument } from '#projections/invoices/documents.js';
import { findNumber } from '#projections/invoices/issued-numbers.js';
import { INVOICE_NUMBERED, type InvoiceNumbered } from '#projections/events/number-events.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Change } from '#deciding/changes/change.js';
import type { BillingChanges, BillingContext, Decide, RecordedChange } from './billing-changes.js';

/** An invoice as it stands when something about it is decided. */
export interface InvoiceContext extends Pick<BillingContext, 'today' | 'id'> {
  readonly invoice: Invoice;
  readonly account: InvoiceAccount;
}

/** The number of an issued invoice. Throws a ProblemException: `not-found`. */
export async function issuedInvoice(pool: pg.Pool, number: string): Promise<InvoiceNumbered> {
  const issued = await findNumber(pool, number);
  if (issued?.type === INVOICE_NUMBERED) return issued.data;
  throw new ProblemException(problem('not-found', 'There is no such invoice.'));
}

/** Records changes of single invoices, each decided on the invoice as it stands. */
export class InvoiceChanges {
  constructor(
    private readonly changes: Pick<BillingChanges, 'record'>,
    private readonly pool: pg.Pool,
  ) {}

  /** Resolves once it is durable. Throws a ProblemException for what is refused. */
  async record(
    number: string,
    change: Change,
    decide: Decide<InvoiceContext>,
  ): Promise<RecordedChange> {
    const { account_id: accountId, documents } = await issuedInvoice(this.pool, number);
    return this.changes.record(accountId, change, async ({ billing, today, id }) => {
      const body = await readDocument(this.pool, documents.json);
      const invoice = JSON.parse(body.toString('utf8')) as Invoice;
      return decide({ invoice, account: invoiceAccount(invoice, billing.events), today, id });
    });
  }
}
