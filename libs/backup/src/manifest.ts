import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ACCOUNT_LANES } from '#event-log/event-log.js';
import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';
import { BACKED_UP_TABLES } from './backed-up-tables.js';

export const MANIFEST_FILE = 'manifest.json';
/** Counted up when a reader of the format before could no longer read a backup. */
export const FORMAT = 1;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const file = { file: z.string(), bytes: count, sha256 };

const lane = z.strictObject({
  lane: count,
  /** The lane's last position, which is its number of events and the file's number of lines. */
  position: count,
  /** Head of the lane's chain after it. */
  head: sha256,
  batches: count,
  ...file,
});

const table = z.strictObject({
  table: z.enum(BACKED_UP_TABLES),
  columns: z.array(z.string()).min(1),
  rows: count,
  ...file,
});

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** The moment of the state, by the database's clock. */
  created_at: z.iso.datetime(),
  /** Of the PostgreSQL it was taken from. */
  server_version: z.string(),
  migrations: z.array(z.string()),
  events: count,
  batches: count,
  lanes: z.array(lane),
  tables: z.array(table),
});

/** One file of a backup. */
export interface BackupFile {
  /** Relative to the backup's folder, with slashes. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type LaneFile = Readonly<z.infer<typeof lane>>;
export type TableFile = Readonly<z.infer<typeof table>>;
export type Manifest = Readonly<z.infer<typeof manifest>>;

/** Every file of a backup but the manifest itself. */
export function filesOf({ lanes, tables }: Manifest): BackupFile[] {
  return [...lanes, ...tables];
}

/**
 * SHA-256 over a manifest, which names a state of the whole service: of its JSON text without
 * spaces, the members of every object in the order of their names.
 */
export function manifestSum(content: Manifest): string {
  return createHash('sha256').update(JSON.stringify(content, inOrder)).digest('hex');
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The file's text: the manifest and its own sum. */
export function manifestText(content: Manifest): string {
  return `${JSON.stringify({ ...content, sha256: manifestSum(content) }, null, 2)}\n`;
}

/** Reads a manifest, or answers why this version cannot restore from it. Pure. */
export function parseManifest(text: string): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is no JSON';
  }
  const { format } = (value ?? {}) as { readonly format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    return `is of format ${format}, which a newer version wrote; this one reads format ${FORMAT}`;
  }
  const parsed = manifest.extend({ sha256 }).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'is wrong'}`;
  }
  const { sha256: sum, ...content } = parsed.data;
  if (sum !== manifestSum(content)) return 'was changed: its own SHA-256 does not fit';
  return migrationFault(content) ?? laneFault(content) ?? content;
}

function migrationFault({ migrations }: Manifest): string | undefined {
  const known = new Set(ALL_MIGRATIONS.map((Migration) => new Migration().name));
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length === 0) return undefined;
  return `was taken from a database that a newer version migrated (${unknown.join(', ')})`;
}

function laneFault({ lanes, tables }: Manifest): string | undefined {
  const isComplete =
    lanes.length === ACCOUNT_LANES + 1 && lanes.every((each, index) => each.lane === index);
  if (!isComplete) return `does not name the lanes 0 to ${ACCOUNT_LANES} in order`;
  if (new Set(tables.map((each) => each.table)).size < tables.length) return 'names a table twice';
  return undefined;
}
