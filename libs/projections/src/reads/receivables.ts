import type pg from 'pg';
import type { AccountState } from '#account/state.js';
import { accountStatement } from '#invoice-rules/account-statement.js';
import { readBilling } from '../invoices/account-billing.js';
import { findNumbersOf } from '../invoices/issued-numbers.js';
import { readItems } from '../invoices/open-items.js';
import type { ReceivablesView } from '../views/invoice-reads.js';

/** Always current: it is read from the log. */
export async function readReceivables(
  client: pg.ClientBase,
  accountId: string,
  { currency }: Pick<AccountState, 'currency'>,
  date: string,
): Promise<ReceivablesView> {
  const billing = await readBilling(client, accountId);
  const items = await readItems(client, billing);
  const documents = billing.events.flatMap(({ type, data }) => {
    if (type === 'InvoiceSealed') return [data.invoice_id];
    return type === 'CreditNoteSealed' ? [data.credit_note_id] : [];
  });
  const issued = await findNumbersOf(client, documents);
  const numbers = new Map(issued.map(({ data }) => [data.id, data.number]));
  const stated = items.map((item) => ({ ...item, issueDate: item.sealed.issue_date }));
  const statement = accountStatement(stated, billing.events, numbers, date);
  return { account_id: accountId, currency, ...statement };
}
