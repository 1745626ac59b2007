import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

/** A run that issues what is due. */
export const InvoiceRun = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(['running', 'ended']).meta({ id: 'InvoiceRunStatus' }),
    month: z.string(),
    account_id: z.uuid().nullable().meta({ description: 'Null: all accounts.' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    accounts: z.int().meta({ description: 'Accounts with something to bill in the month.' }),
    done: z.int().meta({ description: 'Accounts whose invoice is made.' }),
    documents: z.int().meta({ description: 'Invoices that got a number since it began.' }),
    issued: z.int().nullable().meta({ description: 'Null until it has ended.' }),
    skipped: z.int().nullable().meta({
      description: 'Accounts with an invoice already, or nothing to bill; null until its end.',
    }),
    failed: z.int().nullable().meta({
      description:
        'Number of failures. While the run goes on: so far, or null if another process runs it.',
    }),
    failures: z
      .array(z.strictObject({ account_id: z.uuid(), month: z.string(), detail: z.string() }))
      .nullable()
      .meta({ description: 'Accounts whose invoice could not be made, and why; the first 100.' }),
  })
  .meta({ id: 'InvoiceRun' });
export type InvoiceRun = Frozen<z.output<typeof InvoiceRun>>;
