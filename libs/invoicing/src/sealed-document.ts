import type { CreditNoteSealed, InvoiceSealed } from '#account/billing-events.js';
import type { StoredEvent } from '#event-log/event-log.js';

/** An invoice or credit note that stands in its account's lane; its number is another event. */
export type SealedDocument = {
  readonly accountId: string;
  /** The account's moment, ms since 1970. */
  readonly at: number;
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
