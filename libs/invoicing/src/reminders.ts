import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import type { InvoiceReads, RemindersView } from '#projections/views/invoice-reads.js';
import type { InvoiceChanges } from './invoice-changes.js';
import type { RemindersBody } from './invoice-bodies.js';

export interface RemindersParts {
  readonly changes: Pick<InvoiceChanges, 'record'>;
  readonly reads: Pick<InvoiceReads, 'invoice'>;
}

/** Reminders of single invoices, as operators stop them and let them go on. */
export class Reminders {
  constructor(private readonly parts: RemindersParts) {}

  /** Throws a ProblemException: `not-found`. */
  async set(
    number: string,
    change: Change,
    { stopped }: RemindersBody,
  ): Promise<ChangeResult<RemindersView>> {
    const { changes, reads } = this.parts;
    const { accountId, replayed } = await changes.record(number, change, async ({ invoice }) => ({
      record: { type: 'RemindersSet', data: { invoice_id: invoice.id, stopped } },
    }));
    const invoice = await reads.invoice(accountId, number);
    if (invoice === undefined) throw new Error(`Invoice ${number} is gone.`);
    return { view: invoice.reminders, replayed };
  }
}
