import { createHash } from 'node:crypto';
import type pg from 'pg';
import { byteaArray, bytesArray, textArray, uuidArray } from '#event-log/binary-array.js';

/** Bytes to be kept for ever, or as long as the law wants them kept. */
export interface NewDocument {
  readonly accountId: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
}

/** SHA-256 in hex: what events name a document by. */
export function documentHash(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/**
 * Keeps documents before the events that name them, in one statement. They are named by their
 * bytes, so doing it again changes nothing.
 */
export async function saveDocuments(
  db: pg.Pool | pg.ClientBase,
  documents: readonly NewDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  await db.query({
    name: 'documents-save',
    text: `insert into document (sha256, account_id, media_type, body)
           select * from unnest($1::bytea[], $2::uuid[], $3::text[], $4::bytea[])
           on conflict (sha256) do nothing`,
    values: [
      byteaArray(documents.map(({ body }) => documentHash(body))),
      uuidArray(documents.map(({ accountId }) => accountId)),
      textArray(documents.map(({ mediaType }) => mediaType)),
      bytesArray(documents.map(({ body }) => body)),
    ],
  });
}

/** Documents by their hashes (hex); those that are not there are absent. */
export async function findDocuments(
  db: pg.Pool | pg.ClientBase,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await db.query<{ sha256: string; body: Buffer }>({
    name: 'documents-find',
    text: `select encode(sha256, 'hex') as sha256, body from document
            where sha256 = any ($1::bytea[])`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  });
  return new Map(rows.map(({ sha256, body }) => [sha256, body]));
}

/** A document as it is kept now. */
export interface KeptDocument {
  readonly body: Buffer;
  /** SHA-256, hex, of what is left without its parties; null: it is as it was issued. */
  readonly redacted: string | null;
}

/** Documents by the hashes (hex) that they were issued with; missing ones are absent. */
export async function findKept(
  db: pg.Pool | pg.ClientBase,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KeptDocument>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await db.query<KeptDocument & { readonly sha256: string }>({
    name: 'documents-kept',
    text: `select encode(sha256, 'hex') as sha256, body,
                  case when redaction is not null and left_over is null
                       then encode(redacted_sha256, 'hex') end as redacted
             from document where sha256 = any ($1::bytea[])`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  });
  return new Map(rows.map(({ sha256, body, redacted }) => [sha256, { body, redacted }]));
}

/** Whether the bytes are those that were issued, or what is left of them without the parties. */
export function isSound(sha256: string, { body, redacted }: KeptDocument): boolean {
  return documentHash(body) === (redacted ?? sha256);
}

/** One document. Throws where it is gone, or is not what the event named. */
export async function readKept(db: pg.Pool | pg.ClientBase, sha256: string): Promise<KeptDocument> {
  const kept = (await findKept(db, [sha256])).get(sha256);
  if (kept === undefined) throw new Error(`Document ${sha256} is not there.`);
  if (!isSound(sha256, kept)) throw new Error(`Document ${sha256} was changed.`);
  return kept;
}

/** Its bytes, without the parties once the legal term is over. */
export async function readDocument(db: pg.Pool | pg.ClientBase, sha256: string): Promise<Buffer> {
  return (await readKept(db, sha256)).body;
}
