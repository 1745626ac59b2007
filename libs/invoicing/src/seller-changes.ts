import type pg from 'pg';
import type { Seller } from '#billing/invoice.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { SELLER_CHANGED, type SellerChanged } from '#ledger/events/number-events.js';
import { findProfiles, type Profiles } from '#ledger/texts/profiles.js';
import { SELLER, type SellerRow } from '#ledger/invoices/seller-row.js';
import type { Made } from '#deciding/changes/made.js';
import type { Change } from '#deciding/changes/change.js';
import type { Own, SystemChanges } from '#deciding/changes/system-changes.js';
import type { SellerBody } from './party.body.js';

export interface SellerChangesParts {
  readonly system: Pick<SystemStream, 'read'>;
  readonly changes: SystemChanges;
  readonly profiles: Profiles;
  readonly pool: pg.Pool;
}

/** Who sends invoices; `version` counts how often that was changed. */
export interface VersionedSeller {
  readonly version: number;
  readonly seller: Partial<Seller>;
}

/** Idempotency keys of changes of the seller name one change among these. */
const SCOPE = 'seller';

/** Reads and replaces the seller of invoices. Issued documents do not change. */
export class SellerChanges {
  constructor(private readonly parts: SellerChangesParts) {}

  async read(): Promise<VersionedSeller> {
    const { system, pool } = this.parts;
    const seller = await system.read(SELLER);
    const { profile } = seller;
    const version = versionOf(seller);
    if (profile === null) return { version, seller: {} };
    return {
      version,
      seller: (await findProfiles(pool, [profile.id])).get(profile.id)?.seller ?? {},
    };
  }

  /** Throws a ProblemException: `precondition-failed` when it was changed since. */
  async change(change: Change, seller: SellerBody): Promise<Made<VersionedSeller>> {
    const { changes, profiles } = this.parts;
    const made = changes.of(SCOPE, change);
    const profile = await profiles.save(made.profileId, SYSTEM_ACCOUNT, { seller });
    const data: Own<SellerChanged> = { profile };
    const { event, value, replayed } = await made.append(
      SELLER,
      (before) =>
        before.profile?.sha256 === profile.sha256 ? null : { type: SELLER_CHANGED, data },
      versionOf,
    );
    return { view: { version: versionOf(value, event?.position), seller }, replayed };
  }
}

/** How often it was changed, up to a position. */
function versionOf({ changedAt }: SellerRow, upTo = Number.POSITIVE_INFINITY): number {
  return changedAt.filter((position) => position <= upTo).length;
}
