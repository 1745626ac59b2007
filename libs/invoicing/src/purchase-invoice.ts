import type pg from 'pg';
import { invoiceAccount, type InvoiceAccount } from '#invoice-rules/invoice-account.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { readChanges } from '#projections/events/month-events.js';
import { readBilling, type AccountBilling } from '#projections/invoices/account-billing.js';
import { invoiceIdOf, purchaseInvoiceIdOf } from '#projections/events/document-ids.js';
import { readDocument } from '#projections/invoices/documents.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';

/** The line of an issued invoice that bills a purchase. */
export interface BilledPurchase {
  readonly invoice: Invoice;
  /** At this version of the account's billing. */
  readonly version: number;
  readonly account: InvoiceAccount;
  /** The number of the line, and what is not credited of it, net. */
  readonly line: number;
  readonly left: number;
}

/** The invoice that bills a purchase; undefined until it has a number. */
export async function findBilledPurchase(
  pool: pg.Pool,
  accountId: string,
  grantId: string,
): Promise<BilledPurchase | undefined> {
  const { version, events } = await readBilling(pool, accountId);
  const first = await invoiceIdFor(pool, accountId, grantId);
  const [issued] = first === undefined ? [] : await findNumbersOf(pool, [reissued(first, events)]);
  if (issued === undefined) return undefined;
  const body = await readDocument(pool, issued.data.documents.json);
  const invoice = JSON.parse(body.toString('utf8')) as Invoice;
  const line = invoice.lines.find((one) => one.type === 'purchase' && one.grant_id === grantId)?.n;
  if (line === undefined) return undefined;
  const account = invoiceAccount(invoice, events);
  return { invoice, version, account, line, left: account.left.get(line) ?? 0 };
}

/** The invoice that bills now what one billed: void ones are followed to those in their places. */
function reissued(id: string, events: AccountBilling['events']): string {
  return events.reduce(
    (now, { type, data }) =>
      type === 'CreditNoteSealed' && data.invoice_id === now ? (data.reissued_as ?? now) : now,
    id,
  );
}

/** Its own invoice's, or that of the month in which it was made, once it is closed. */
async function invoiceIdFor(
  pool: pg.Pool,
  accountId: string,
  grantId: string,
): Promise<string | undefined> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const found = await readChanges(pool, [all], ['CreditsGranted', 'MonthClosed']);
  const changes = found.get(accountId) ?? [];
  const at = changes.findIndex(
    ({ event }) => event.type === 'CreditsGranted' && event.data.grant_id === grantId,
  );
  const purchase = changes[at]?.event;
  if (purchase?.type !== 'CreditsGranted') return undefined;
  if (purchase.data.invoiced === 'at_once') return purchaseInvoiceIdOf(accountId, grantId);
  const close = changes.slice(at).find(({ event }) => event.type === 'MonthClosed')?.event;
  return close?.type === 'MonthClosed' ? invoiceIdOf(accountId, close.data.month) : undefined;
}
