import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

// What a customer owes and is owed. Amounts are minor units of the account's currency.

const amount = z.int();
const date = z.iso.date();

const ageing = z
  .strictObject({
    not_due: amount,
    days_1_30: amount,
    days_31_60: amount,
    days_61_90: amount,
    over_90: amount,
  })
  .meta({ description: 'What is owed, by how long it is overdue.' });

const openInvoice = z.strictObject({
  id: z.uuid(),
  number: z.string(),
  issue_date: date,
  due_date: date,
  total: amount,
  paid: amount,
  credited: amount,
  written_off: amount,
  due: amount.meta({ description: 'Below 0 it is to be paid back.' }),
  days_overdue: z.int(),
  age: z
    .enum(['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'over_90'])
    .meta({ id: 'ReceivableAge' }),
});

const entry = z.strictObject({
  date,
  type: z
    .enum(['invoice', 'credit_note', 'payment', 'refund', 'write_off'])
    .meta({ id: 'StatementEntryType' }),
  number: z.string().nullable().meta({ description: 'Of a document; null: it is money.' }),
  id: z.uuid(),
  reference: z.string().nullable(),
  amount: amount.meta({ description: 'Above 0 the customer owes it.' }),
  balance: amount.meta({ description: 'Owed by the customer after it.' }),
});

/** The statement of an account: what a customer owes and is owed, and how it came about. */
export const Receivables = z
  .strictObject({
    account_id: z.uuid(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    date: date.meta({ description: 'Today, as the account sees it.' }),
    balance: amount.meta({ description: 'owed − to_refund − credit_balance' }),
    owed: amount.meta({ description: 'Due of all invoices.' }),
    overdue: amount,
    to_refund: amount.meta({ description: 'Paid of invoices that were credited since.' }),
    credit_balance: amount.meta({ description: 'Pays the next invoices.' }),
    ageing,
    open: z.array(openInvoice).meta({ description: 'The one that is due first first.' }),
    entries: z.array(entry).meta({ description: 'By date.' }),
  })
  .meta({ id: 'Receivables' });
export type Receivables = Frozen<z.output<typeof Receivables>>;
