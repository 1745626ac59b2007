import type pg from 'pg';
import type { CreditNoteSealed, InvoiceRecord } from '#account/billing-events.js';
import type { CreditedAmounts } from '#invoice-rules/credit-notes.js';
import { draftCreditNote, type CreditNoteTerms } from '#invoice-rules/draft-credit-note.js';
import { isTest, type Invoice } from '#invoice-rules/invoice.js';
import { documentHash, saveDocuments } from '#projections/invoices/documents.js';

/**
 * A credit note as it is recorded. The document that the record names is kept before. `cause`: the
 * voided purchase that it refunds, or the invoice that is issued in the place of the voided one.
 */
export async function creditNoteRecord(
  pool: pg.Pool,
  invoice: Invoice,
  decision: CreditedAmounts,
  terms: CreditNoteTerms,
  cause: Pick<CreditNoteSealed, 'grant_id' | 'reissued_as'> = {},
): Promise<Extract<InvoiceRecord, { type: 'CreditNoteSealed' }>> {
  const draft = draftCreditNote(invoice, decision, terms);
  const text = Buffer.from(JSON.stringify(draft));
  const { account_id: accountId } = invoice;
  await saveDocuments(pool, [{ accountId, mediaType: 'application/json', body: text }]);
  const { lines, net, tax, total, settlement, unwritten } = decision;
  const { credit_balance: kept = 0 } = settlement;
  const data = {
    credit_note_id: terms.id,
    invoice_id: invoice.id,
    month: invoice.month,
    series: isTest(invoice.number) ? 'TEST-CN' : 'CN',
    issue_date: terms.issueDate,
    currency: invoice.currency,
    lines,
    net,
    tax,
    total,
    sha256: documentHash(text),
    ...(kept > 0 && { to_balance: kept }),
    ...(unwritten > 0 && { write_off: unwritten }),
    ...cause,
  } as const;
  return { type: 'CreditNoteSealed', data };
}
