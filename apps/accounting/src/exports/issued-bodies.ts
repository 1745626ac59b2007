import type pg from 'pg';
import { documentHash, findDocuments } from '#ledger/documents.js';

/** Issued bytes by their hashes, in that order. Throws where some are gone, or are other ones. */
export async function issuedBodies(
  pool: pg.Pool,
  hashes: readonly string[],
): Promise<readonly Buffer[]> {
  const found = await findDocuments(pool, hashes);
  return hashes.map((hash) => {
    const body = found.get(hash);
    if (body === undefined) throw new Error(`Document ${hash} is not there.`);
    if (documentHash(body) !== hash) throw new Error(`Document ${hash} was changed.`);
    return body;
  });
}
