import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { TEST_ACCOUNTS } from './export.schemas.js';

const amount = z.int();
const date = z.iso.date();

/** The query of the open items. */
export const OPEN_ITEMS_QUERY = z.strictObject({
  date: date.optional().meta({
    description:
      'As of the end of this day, by the dates of documents and payments; today unless given.',
    example: '2026-11-30',
  }),
  test: TEST_ACCOUNTS,
});

/** Open invoices and credit balances of all customers on a day. */
export const OpenItems = z
  .strictObject({
    date,
    items: z.array(
      z.strictObject({
        customer_number: z.string().meta({ description: 'External id of the account.' }),
        customer_name: z.string(),
        account_id: z.uuid(),
        type: z.enum(['invoice', 'credit_balance']).meta({ id: 'OpenItemType' }),
        number: z.string().nullable().meta({ description: 'Null: of the credit balance.' }),
        issue_date: date.nullable(),
        due_date: date.nullable(),
        currency: z.string(),
        amount: amount.meta({ description: 'Total of the invoice, in minor units.' }),
        paid: amount,
        credited: amount,
        written_off: amount,
        due: amount.meta({ description: 'Below 0 it is owed to the customer.' }),
        days_overdue: z.int(),
        reminders: z.int().meta({ description: 'How many reminders were sent by that day.' }),
      }),
    ),
    totals: z.array(z.strictObject({ currency: z.string(), due: amount, overdue: amount })).meta({
      description: "By currency; `due` is the journal's receivables less credit balances.",
    }),
  })
  .meta({ id: 'OpenItems' });
export type OpenItems = Frozen<z.output<typeof OpenItems>>;
