import type pg from 'pg';
import type { Seller } from '#invoice-rules/invoice.js';
import { logoOf, logoUrl } from '#invoice-documents/images/logo.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { SELLER_CHANGED, type SellerChanged } from '#projections/events/number-events.js';
import type { Profiles } from '#projections/texts/profiles.js';
import { documentHash, readDocument, saveDocuments } from '#projections/invoices/documents.js';
import { readSeller, SELLER, type SellerRow } from '#projections/invoices/seller-row.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import type { WithoutOrigin, SystemChanges } from '#deciding/changes/system-changes.js';
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
  readonly seller: Partial<SellerBody>;
}

/** Idempotency keys of changes of the seller name one change among these. */
export const SELLER_SCOPE = 'seller';

/** Reads and replaces the seller of invoices. Issued documents do not change. */
export class SellerChanges {
  constructor(private readonly parts: SellerChangesParts) {}

  async read(): Promise<VersionedSeller> {
    const { system, pool } = this.parts;
    const version = versionOf(await system.read(SELLER));
    const stored = await readSeller(pool, system);
    if (stored.logo_sha256 === undefined) return { version, seller: stored };
    const { logo_sha256: sha256, ...seller } = stored;
    return { version, seller: { ...seller, logo: logoUrl(await readDocument(pool, sha256)) } };
  }

  /** Throws a ProblemException: `precondition-failed` when it was changed since. */
  async change(change: Change, body: SellerBody): Promise<ChangeResult<VersionedSeller>> {
    const { changes, profiles, pool } = this.parts;
    const made = changes.of(SELLER_SCOPE, change);
    const seller = await storedSeller(pool, body);
    const profile = await profiles.save(made.profileId, SYSTEM_ACCOUNT, { seller });
    const data: WithoutOrigin<SellerChanged> = { profile };
    const { event, value, replayed } = await made.append(
      SELLER,
      (before) =>
        before.profile?.sha256 === profile.sha256 ? null : { type: SELLER_CHANGED, data },
      versionOf,
    );
    return { view: { version: versionOf(value, event?.position), seller: body }, replayed };
  }
}

/** The seller with the SHA-256 of the image, which is kept as documents are. */
async function storedSeller(pool: pg.Pool, { logo, ...seller }: SellerBody): Promise<Seller> {
  const image = logo === undefined ? undefined : logoOf(logo);
  if (image === undefined) return seller;
  const { type: mediaType, bytes: body } = image;
  await saveDocuments(pool, [{ accountId: SYSTEM_ACCOUNT, mediaType, body }]);
  return { ...seller, logo_sha256: documentHash(body) };
}

/** How often it was changed, up to a position. */
function versionOf({ changedAt }: SellerRow, upTo = Number.POSITIVE_INFINITY): number {
  return changedAt.filter((position) => position <= upTo).length;
}
