import type { ProfileReference } from '#account/events.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { SELLER_CHANGED, type SellerChanged } from './number-events.js';

/** The row that says who sends invoices, and how often that was changed. */
export interface SellerRow {
  readonly version: number;
  readonly profile: ProfileReference | null;
}

/** Who sends invoices after these events of the system. */
export function sellerOf(events: readonly StoredEvent[]): SellerRow {
  const changes = events.filter(({ type }) => type === SELLER_CHANGED);
  const last = changes.at(-1);
  const profile = last === undefined ? null : (JSON.parse(last.data) as SellerChanged).profile;
  return { version: changes.length, profile };
}
