import type { Page } from '#projections/views/account-reads.js';
import type { HeldSummary, InvoiceFilter } from '#projections/views/invoice-reads.js';
import type { InvoiceReads, InvoiceSummary } from '#projections/views/invoice-reads.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { BadCursorError } from '#web/read-errors.js';

type ListedInvoice = InvoiceSummary | HeldSummary;

const HELD = 'held';
const PLACE = /^(?:\d{4}-\d{2} [0-9a-f-]{36})?$/;

/**
 * A page of issued invoices, and behind the last of them those that are held. Throws
 * BadCursorError.
 */
export async function pageWithHeld(
  reads: Pick<InvoiceReads, 'invoices' | 'held'>,
  filter: InvoiceFilter,
): Promise<Page<ListedInvoice>> {
  const { status, limit } = filter;
  const place = status === HELD ? (placeOf(filter.after) ?? '') : placeOf(filter.after);
  if (place !== null) return heldPage(reads, filter, place, limit);
  const issued = await reads.invoices(filter);
  if (issued.next !== null || status !== null) return issued;
  const held = await heldPage(reads, filter, '', Math.max(1, limit - issued.items.length));
  if (issued.items.length < limit) return { ...held, items: [...issued.items, ...held.items] };
  return { ...issued, next: held.items.length > 0 ? encodePlace(HELD, ['']) : null };
}

async function heldPage(
  { held }: Pick<InvoiceReads, 'held'>,
  filter: InvoiceFilter,
  after: string,
  limit: number,
): Promise<Page<ListedInvoice>> {
  const { items, next } = await held.list({ ...filter, after, limit });
  return { items, next: next === null ? null : encodePlace(HELD, [next]) };
}

/** Null: the cursor is one of issued invoices, or there is none. */
function placeOf(cursor: string | null): string | null {
  if (cursor === null || /^\d+$/.test(Buffer.from(cursor, 'base64url').toString())) return null;
  const [place = ''] = decodePlace(HELD, 1, cursor);
  if (!PLACE.test(place)) throw new BadCursorError(cursor);
  return place;
}
