import type pg from 'pg';
import type { ProfileReference } from '#account/terms.js';
import type { Seller } from '#invoice-rules/invoice.js';
import type { Fold } from '#event-log/fold.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { findProfiles } from '../texts/profiles.js';
import { SELLER_CHANGED, type SellerChanged } from '../events/number-events.js';

/** The row that says who sends invoices. */
export interface SellerRow {
  /** Positions in the system's lane at which that was changed. */
  readonly changedAt: readonly number[];
  readonly profile: ProfileReference | null;
}

/** Who sends invoices, as the system's stream has it. */
export const SELLER: Fold<SellerRow> = {
  initial: () => ({ changedAt: [], profile: null }),
  evolve: (seller, { type, position, data }) => {
    if (type !== SELLER_CHANGED) return seller;
    const { profile } = JSON.parse(data) as SellerChanged;
    return { changedAt: [...seller.changedAt, position], profile };
  },
};

/** Who sends invoices, as far as it is filled in. */
export async function readSeller(
  db: pg.Pool | pg.ClientBase,
  system: Pick<SystemStream, 'read'>,
): Promise<Partial<Seller>> {
  const { profile } = await system.read(SELLER);
  if (profile === null) return {};
  return (await findProfiles(db, [profile.id])).get(profile.id)?.seller ?? {};
}
