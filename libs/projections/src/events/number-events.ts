import type { CreditNoteSeries, InvoiceSeries } from '#account/billing-events.js';
import type { Origin, ProfileReference } from '#account/terms.js';

// Events of the system's lane about invoices: their names and members are for ever, as in
// `#account/events.js`.

export const SELLER_CHANGED = 'SellerChanged';
export const INVOICE_NUMBERED = 'InvoiceNumbered';
export const CREDIT_NOTE_NUMBERED = 'CreditNoteNumbered';

/** Who sends invoices from now on: all of it, in a row of personal texts. */
export interface SellerChanged extends Origin {
  readonly profile: ProfileReference;
}

/** SHA-256 of the issued bytes, hex; null for a format that lacked required data. */
export interface IssuedDocuments {
  readonly json: string;
  readonly csv: string;
  readonly pdf: string;
  readonly xml: string | null;
  /** Absent: it was issued before there was CII, and its PDF holds the UBL. */
  readonly cii?: string | null;
}

export type DocumentFormat = keyof IssuedDocuments;
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = ['json', 'csv', 'pdf', 'xml', 'cii'];

/** Name of a document's file: `INV-000001.cii.xml`. */
export function documentFile(number: string, format: DocumentFormat): string {
  return `${number}.${format === 'cii' ? 'cii.xml' : format}`;
}

/** Media type of each format in the table of documents. */
export const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  pdf: 'application/pdf',
  xml: 'application/xml',
  cii: 'application/xml',
};

interface DocumentNumber<Series extends string> extends Origin {
  /** Of the invoice or credit note. */
  readonly id: string;
  readonly account_id: string;
  /** The account's. */
  readonly lane: number;
  readonly month: string;
  readonly series: Series;
  /** 1, 2, 3, … in the series. */
  readonly ordinal: number;
  readonly number: string;
  readonly currency: string;
  readonly total: number;
  readonly documents: IssuedDocuments;
}

/** An invoice that was sealed in its account's lane is issued under a number. */
export interface InvoiceNumbered extends DocumentNumber<InvoiceSeries> {
  readonly due_date: string;
}

export interface CreditNoteNumbered extends DocumentNumber<CreditNoteSeries> {
  readonly invoice_id: string;
  readonly invoice_number: string;
}

const DIGITS = 6;

/** A number as it is printed: `INV-000001`. */
export function numberText(series: string, ordinal: number): string {
  return `${series}-${String(ordinal).padStart(DIGITS, '0')}`;
}

/** Matches exactly the results of `numberText`. */
export const DOCUMENT_NUMBER = /^(?:TEST-)?(?:INV|CN)-(?:\d{6}|[1-9]\d{6,11})$/;
