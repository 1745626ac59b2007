import type pg from 'pg';
import type { CreditNoteSealed } from '#account/billing-events.js';
import { decideCredit, type LineCredit } from '#invoice-rules/credit-notes.js';
import { draftCreditNote, type CreditNoteDraft } from '#invoice-rules/draft-credit-note.js';
import { creditedOf, invoiceAccount } from '#invoice-rules/invoice-account.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { readBilling } from '../invoices/account-billing.js';
import { readDocument } from '../invoices/documents.js';
import { findNumbersOf } from '../invoices/issued-numbers.js';
import { type DocumentRule, memberDifferences } from './invoice-differences.js';

const COMPARED = [
  'invoice',
  'month',
  'currency',
  'issue_date',
  'settlement',
  'lines',
  'net',
  'tax_breakdown',
  'tax',
  'total',
  'tax_accounting',
] as const satisfies readonly (keyof CreditNoteDraft)[];

/** Calls of one line are credited by its amount together. */
function byLine(lines: CreditNoteSealed['lines']): LineCredit[] {
  const credited = [...creditedOf(lines)].filter(([, amount]) => amount !== 0);
  return credited.map(([line, amount]) => ({ line, amount }));
}

/** Holds an issued credit note against its invoice as it stood when the note was sealed. */
export async function creditNoteRule(pool: pg.Pool, note: CreditNote): Promise<DocumentRule> {
  const rule = 'its lines and amounts follow from its invoice and what was credited and paid of it';
  return { rule, differences: await differencesOf(pool, note) };
}

/** The lines are those that were sealed, as far as they were left. */
async function differencesOf(pool: pg.Pool, note: CreditNote): Promise<string[]> {
  const { events } = await readBilling(pool, note.account_id);
  const index = events.findIndex(
    ({ type, data }) => type === 'CreditNoteSealed' && data.credit_note_id === note.id,
  );
  const sealed = events[index];
  if (sealed?.type !== 'CreditNoteSealed') return [`The events seal no credit note ${note.id}.`];
  const { invoice_id: of, lines, issue_date: issueDate, to_balance: kept } = sealed.data;
  const [issued] = await findNumbersOf(pool, [of]);
  if (issued === undefined) return [`The log numbers no invoice ${of}.`];
  const body = await readDocument(pool, issued.data.documents.json);
  const invoice = JSON.parse(body.toString('utf8')) as Invoice;
  const account = invoiceAccount(invoice, events.slice(0, index));
  const settleBy = kept === undefined ? 'refund' : 'credit_balance';
  const credit = decideCredit(account, { scope: 'lines', lines: byLine(lines) }, settleBy);
  if (credit.outcome === 'refused') return credit.refusals.map(({ detail }) => detail);
  const terms = { id: note.id, issueDate, reason: note.reason };
  return memberDifferences(note, draftCreditNote(invoice, { ...credit, lines }, terms), COMPARED);
}
