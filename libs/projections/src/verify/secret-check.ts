import type pg from 'pg';
import { SecretBox } from '../texts/secret-box.js';
import type { LaneFindings } from './findings.js';
import { toHash } from './profile-hash.js';

/** The secret that signs for a webhook, as the latest event says. */
export interface NamedSecret {
  /** Of that event. */
  readonly position: number;
  readonly webhookId: string;
  readonly secret: { readonly id: string; readonly sha256: string };
}

/**
 * The rows of the secrets that sign: there, with the bytes that the event names, and encrypted with
 * this key. `key` null: nobody here knows it, and whether they open is not looked at.
 */
export async function checkSecrets(
  client: pg.ClientBase,
  named: readonly NamedSecret[],
  key: string | null,
  findings: LaneFindings,
): Promise<void> {
  const { rows } = await client.query<{ id: string; body: Buffer; sha256: Buffer }>(
    'select id, body, sha256 from secret where id = any ($1::uuid[])',
    [named.map(({ secret }) => secret.id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const box = key === null ? null : new SecretBox(key);
  for (const { position, webhookId, secret } of named) {
    const place = `id ${secret.id}, named in lane ${findings.lane} at position ${position}`;
    const finding = { table: 'secret', key: `${place}, of webhook ${webhookId}` };
    const row = byId.get(secret.id);
    const hashes = row === undefined ? [] : [toHash(row.body), row.sha256.toString('hex')];
    const wrong = hashes.find((hash) => hash !== secret.sha256);
    if (row === undefined || wrong !== undefined) {
      const found = row === undefined ? null : { sha256: wrong };
      findings.add('secrets', { ...finding, expected: { sha256: secret.sha256 }, found });
      continue;
    }
    const closed = box === null ? null : whyClosed(box, secret.id, row.body);
    if (closed !== null) {
      const expected = 'a secret that opens with the key of this service';
      findings.add('secrets', { ...finding, expected, found: closed });
    }
  }
}

function whyClosed(box: SecretBox, id: string, body: Buffer): string | null {
  try {
    box.open(id, body);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
