import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import type { InvoiceAccount } from '#invoice-rules/invoice-account.js';
import type { OpenItem } from '#invoice-rules/receivables.js';
import { INVOICE_NUMBERED } from '../events/number-events.js';
import { invoicesIn, sumsOf, type AccountBilling } from './account-billing.js';
import { findNumbersOf } from './issued-numbers.js';

/** An issued invoice with what became of it. */
export interface IssuedItem extends OpenItem {
  readonly sealed: InvoiceSealed;
  readonly account: InvoiceAccount;
}

/** The issued invoices of an account, the one that is due first before the others. */
export async function readItems(
  db: pg.Pool | pg.ClientBase,
  billing: AccountBilling,
): Promise<readonly IssuedItem[]> {
  const invoices = new Map(invoicesIn(billing).map((sealed) => [sealed.invoice_id, sealed]));
  const numbers = await findNumbersOf(db, [...invoices.keys()]);
  const items = numbers.flatMap(({ type, data: { id, number } }): IssuedItem[] => {
    const sealed = invoices.get(id);
    if (sealed === undefined || type !== INVOICE_NUMBERED) return [];
    const account = sumsOf(sealed, billing);
    return [{ id, number, due: account.due, sealed, account }];
  });
  return items.toSorted(({ sealed: { due_date: one } }, { sealed: { due_date: other } }) => {
    if (one === other) return 0;
    return one < other ? -1 : 1;
  });
}
