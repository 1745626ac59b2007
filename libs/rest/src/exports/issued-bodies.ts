import type pg from 'pg';
import { findKept, isSound, type KeptDocument } from '#projections/invoices/documents.js';

/**
 * Documents by the hashes that they were issued with, in that order; without their parties once the
 * legal term is over. Throws where some are gone, or are other ones.
 */
export async function issuedBodies(
  pool: pg.Pool,
  hashes: readonly string[],
): Promise<readonly KeptDocument[]> {
  const found = await findKept(pool, hashes);
  return hashes.map((hash) => {
    const kept = found.get(hash);
    if (kept === undefined) throw new Error(`Document ${hash} is not there.`);
    if (!isSound(hash, kept)) throw new Error(`Document ${hash} was changed.`);
    return kept;
  });
}
