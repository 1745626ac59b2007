import type pg from 'pg';
import type { AccountState, DueReissue } from '#account/state.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { reissueTax } from '#invoice-rules/tax.js';
import { readBilling, voidingNote } from './account-billing.js';
import { readDocument } from './documents.js';
import type { Reissue } from './due-drafts.js';
import { findNumbersOf } from './issued-numbers.js';

/** The invoice to issue again; undefined: the voided one has no number yet, and cannot be named. */
export async function readReissue(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  { plan, billing }: AccountState,
  { invoiceId: id, of }: DueReissue,
): Promise<Reissue | undefined> {
  const [issued] = await findNumbersOf(db, [of]);
  const note = voidingNote((await readBilling(db, accountId)).events, id);
  if (issued === undefined || note === undefined) return undefined;
  const body = await readDocument(db, issued.data.documents.json);
  const voided = JSON.parse(body.toString('utf8')) as Invoice;
  const tax = reissueTax(plan, billing.tax, voided.tax_breakdown);
  return { id, of, voided, lines: note.lines, tax };
}
