import type pg from 'pg';
import { isUnreadable } from '#database/errors.js';
import type { LaneFindings } from './findings.js';

/** Somewhere in a lane: the table that was asked, and the rows. */
export interface ReadPlace {
  readonly table: string;
  /** Of the lane; without any it is all of it. */
  readonly rows?: string;
}

/** The file of a page, in the words of the server. */
const FILE = /\bbase\/\d+\/(\d+)/;

/**
 * Does what reads from the database inside the transaction under way. What the server cannot read
 * is a finding, and undefined is returned: the transaction goes on.
 */
export async function readOrReport<Result>(
  client: pg.ClientBase,
  findings: LaneFindings,
  place: ReadPlace,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const read = await readIfPossible(client, work);
  if ('result' in read) return read.result;
  await reportUnreadable(client, findings, place, read.error);
  return undefined;
}

/** The same without a finding: the result, or the error of the server. */
export async function readIfPossible<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: Error }> {
  await client.query('savepoint reading');
  try {
    const result = await work();
    await client.query('release savepoint reading');
    return { result };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await client.query('rollback to savepoint reading');
    return { error: error as Error };
  }
}

/** Adds a finding about rows that cannot be read, with the table to which the page belongs. */
export async function reportUnreadable(
  client: pg.ClientBase,
  findings: LaneFindings,
  { table, rows }: ReadPlace,
  { message }: Error,
): Promise<void> {
  const key = [`lane ${findings.lane}`, ...(rows === undefined ? [] : [rows])].join(', ');
  const of = (await tableOf(client, FILE.exec(message)?.[1])) ?? table;
  findings.add('pages', { table: of, key, expected: 'pages that can be read', found: message });
}

async function tableOf(client: pg.ClientBase, file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const asked = await readIfPossible(client, () =>
    client.query<{ name: string }>(
      'select relname as name from pg_class where oid = pg_filenode_relation(0, $1::oid)',
      [file],
    ),
  );
  return 'result' in asked ? (asked.result.rows[0]?.name ?? null) : null;
}
