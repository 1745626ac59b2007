import type { CreditNoteSealed, InvoiceSealed } from '#account/billing-events.js';
import type { Origin } from '#account/terms.js';
import type { InvoiceDraft } from '#invoice-rules/invoice.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { documentHash } from '#projections/invoices/documents.js';
import type { Parties } from '#projections/invoices/parties.js';

/** An invoice or credit note that stands in its account's lane; its number is another event. */
export type SealedDocument = {
  readonly accountId: string;
  /** The account's moment, ms since 1970. */
  readonly at: number;
  /** Credits of the month's windows by label, where whoever sealed it has just read them. */
  readonly windows?: ReadonlyMap<string, number>;
} & (
  | { readonly type: 'InvoiceSealed'; readonly data: InvoiceSealed }
  | { readonly type: 'CreditNoteSealed'; readonly data: CreditNoteSealed }
);

/** Id of what was sealed. */
export function documentIdOf({ type, data }: SealedDocument): string {
  return type === 'InvoiceSealed' ? data.invoice_id : data.credit_note_id;
}

/** A stored event as what it seals. Throws for any other. */
export function sealedDocument({ accountId, at, type, data }: StoredEvent): SealedDocument {
  if (type !== 'InvoiceSealed' && type !== 'CreditNoteSealed') {
    throw new Error(`An event of type ${type} seals no document.`);
  }
  return { accountId, at, type, data: JSON.parse(data) as never } as SealedDocument;
}

/** Data of the event that seals an invoice. */
export function sealOf(
  draft: InvoiceDraft,
  text: Uint8Array,
  test: boolean,
  rows: Parties['rows'],
): Omit<InvoiceSealed, keyof Origin> {
  return {
    invoice_id: draft.id,
    month: draft.month,
    series: test ? 'TEST-INV' : 'INV',
    issue_date: draft.issue_date,
    due_date: draft.due_date,
    currency: draft.currency,
    net: draft.net,
    tax: draft.tax,
    total: draft.total,
    lines: draft.lines.length,
    sha256: documentHash(text),
    seller: rows.seller,
    buyer: rows.buyer,
  };
}
