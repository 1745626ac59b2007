import { createHash } from 'node:crypto';
import type pg from 'pg';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { documentHash, findKept, isSound, readDocument, saveDocuments } from './documents.js';

/** Media types of the parts of a kept file that were not issued, and of the list of all parts. */
export const PART_MEDIA = 'application/octet-stream';
export const LIST_MEDIA = 'text/plain';

const PART_BYTES = 256 * 1_024;
const PARTS_AT_ONCE = 16;

/** An issued document that a file contains as it is. */
export interface IssuedBody {
  readonly sha256: string;
  readonly body: Uint8Array;
}

/** A file as it was made: SHA-256, hex, and length of its bytes. */
export interface KeptFile {
  readonly sha256: string;
  readonly bytes: number;
  /** SHA-256, hex, of the list of its parts: a row of `document`. */
  readonly parts: string;
}

/**
 * Keeps the bytes of a file, while it is made, as rows of `document` and a list of them. What was
 * issued is kept already: `issued` is filled as the file is made, in the order of its bytes.
 */
export async function keepFile(
  pool: pg.Pool,
  pieces: AsyncIterable<string | Uint8Array>,
  issued: IssuedBody[] = [],
): Promise<KeptFile> {
  const hash = createHash('sha256');
  const parts: string[] = [];
  let bytes = 0;
  let pending: Buffer = Buffer.alloc(0);
  const keep = async (body: Buffer): Promise<void> => {
    if (body.length > 0) parts.push(await saved(pool, PART_MEDIA, body));
  };
  for await (const piece of pieces) {
    const body = Buffer.from(piece as Uint8Array);
    hash.update(body);
    bytes += body.length;
    pending = Buffer.concat([pending, body]);
    for (let [next] = issued; next !== undefined; [next] = issued) {
      const at = pending.indexOf(next.body);
      if (at < 0) break;
      await keep(pending.subarray(0, at));
      parts.push(next.sha256);
      pending = pending.subarray(at + next.body.length);
      issued.shift();
    }
    if (pending.length < PART_BYTES + (issued[0]?.body.length ?? 0)) continue;
    // What is not found is kept twice.
    issued.shift();
    await keep(pending);
    pending = Buffer.alloc(0);
  }
  await keep(pending);
  const list = Buffer.from(parts.map((part) => `${part}\n`).join(''));
  return { sha256: hash.digest('hex'), bytes, parts: await saved(pool, LIST_MEDIA, list) };
}

async function saved(pool: pg.Pool, mediaType: string, body: Buffer): Promise<string> {
  await saveDocuments(pool, [{ accountId: SYSTEM_ACCOUNT, mediaType, body }]);
  return documentHash(body);
}

/** SHA-256, hex, of the parts that a list names, in their order. Throws where it is gone. */
export async function readParts(
  db: pg.Pool | pg.ClientBase,
  list: string,
): Promise<readonly string[]> {
  return partsIn(await readDocument(db, list));
}

/** The same from the bytes of a list. */
export function partsIn(list: Buffer): readonly string[] {
  return list.toString('utf8').split('\n').slice(0, -1);
}

/**
 * The bytes of a kept file by the list of its parts; null once a part of it has ended with the
 * legal term.
 */
export async function openKept(
  pool: pg.Pool,
  list: string,
): Promise<AsyncGenerator<Buffer> | null> {
  const parts = await readParts(pool, list);
  return (await isWhole(pool, parts)) ? bodiesOf(pool, parts) : null;
}

async function isWhole(pool: pg.Pool, parts: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'kept-files-ended',
    text: `select from document
            where sha256 = any ($1::bytea[]) and redaction is not null and left_over is null limit 1`,
    values: [parts.map((part) => Buffer.from(part, 'hex'))],
  });
  return rows.length === 0;
}

async function* bodiesOf(pool: pg.Pool, parts: readonly string[]): AsyncGenerator<Buffer> {
  for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) {
    const some = parts.slice(at, at + PARTS_AT_ONCE);
    const found = await findKept(pool, some);
    for (const part of some) {
      const kept = found.get(part);
      if (kept === undefined || kept.redacted !== null || !isSound(part, kept)) {
        throw new Error(`Document ${part} is not as it was kept.`);
      }
      yield kept.body;
    }
  }
}
