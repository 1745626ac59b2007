import { createHash } from 'node:crypto';
import type pg from 'pg';
import { redactionList, type RedactedRow } from '../events/redaction-events.js';

/** The rows that name a redaction, as its event vouches for them. */
export async function redactedRows(
  client: pg.ClientBase,
  id: string,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const { rows } = await client.query<RedactedRow>(
    `select encode(sha256, 'hex') as sha256, encode(redacted_sha256, 'hex') as redacted
       from document where redaction = $1`,
    [id],
  );
  const sha256 = createHash('sha256').update(redactionList(rows)).digest('hex');
  return { rows: rows.length, sha256 };
}
