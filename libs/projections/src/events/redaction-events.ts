import type { Origin } from '#account/terms.js';

// The event's name and members are for ever, as in `#account/events.js`.

export const DOCUMENTS_REDACTED = 'DocumentsRedacted';

/**
 * The parties of documents beyond the legal term are removed. The event is there before the rows
 * change; which rows they are, those say by its command's id.
 */
export interface DocumentsRedacted extends Origin {
  /** Invoices and credit notes, and the rows with their formats. */
  readonly documents: number;
  readonly rows: number;
  /** Present: files of closed periods, which hold documents, with the first and last month. */
  readonly of?: 'periods';
  /** The first and the last number of them, in the order of their numbers. */
  readonly first: string;
  readonly last: string;
  /** Local date: all of them were issued before it. */
  readonly issued_before: string;
  /** RETENTION_YEARS as it was. */
  readonly years: number;
  /** SHA-256, hex, of `redactionList` of the rows. */
  readonly sha256: string;
}

/** A redacted row: SHA-256 in hex of its bytes as they were issued, and as they are then. */
export interface RedactedRow {
  readonly sha256: string;
  readonly redacted: string;
}

/** The rows as one text: what the event vouches for. */
export function redactionList(rows: readonly RedactedRow[]): string {
  return rows
    .map(({ sha256, redacted }) => `${sha256} ${redacted}\n`)
    .toSorted()
    .join('');
}
