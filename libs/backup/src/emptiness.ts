import type pg from 'pg';
import { BACKED_UP_TABLES, REBUILT_TABLES } from './backed-up-tables.js';

/** Events that a start of the service appends by itself; nothing refers to them yet. */
const OF_A_START = ['BillingZoneSet', 'ReceiptKeyMade'];

/** Tables that a start, or a verification, fills beside an empty log. */
const ROWS_OF_A_START = ['checkpoint', 'audit_entry', 'receipt_key', 'verification'];

/** Rows that count as content, by table. */
const CONTENT: readonly (readonly [table: string, condition: string])[] = [
  ['lane', 'lane <> 0 and position > 0'],
  ['event', `lane <> 0 or type not in ('${OF_A_START.join("', '")}')`],
  ...[...BACKED_UP_TABLES, ...REBUILT_TABLES]
    .filter((table) => !ROWS_OF_A_START.includes(table))
    .map((table) => [table, 'true'] as const),
];

const ADVICE =
  'Restore into another database or another DATA_DIR; if you need nothing of this one, drop it and create it again.';

/** Connections of a restore itself; every other one of the program may write. */
const OWN_NAMES = ['popindex restore', 'popindex migration lock'];

/**
 * Why a backup cannot be restored into this database, or undefined for one that holds nothing but
 * what migrations and a start make, and that no process of the service uses.
 */
export async function whyNotEmpty(client: pg.ClientBase): Promise<string | undefined> {
  const content = await findContent(client);
  if (content !== undefined) {
    return `The database is not empty, ${content}: a backup is restored into an empty one. ${ADVICE}`;
  }
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'popindex %' and application_name <> all ($1)
      limit 1`,
    [OWN_NAMES],
  );
  const [other] = rows;
  if (other === undefined) return undefined;
  return `The service uses this database (connections of "${other.name}"). Stop it first, or restore into another database or another DATA_DIR.`;
}

async function findContent(client: pg.ClientBase): Promise<string | undefined> {
  for (const [table, condition] of CONTENT) {
    if (!(await hasTable(client, table))) continue;
    const { rowCount } = await client.query(`select from ${table} where ${condition} limit 1`);
    if (rowCount === 0) continue;
    const isOfLog = table === 'lane' || table === 'event';
    return isOfLog ? `its log holds ${await countEvents(client)}` : `table ${table} has rows`;
  }
  return undefined;
}

async function hasTable(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [table],
  );
  return rows[0]?.found === true;
}

async function countEvents(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ events: string }>(
    'select sum(position)::text as events from lane',
  );
  const events = rows[0]?.events ?? '0';
  return `${events} ${events === '1' ? 'event' : 'events'}`;
}

/** Removes what a start has made, in the transaction that loads a backup. */
export async function removeStart(client: pg.ClientBase): Promise<void> {
  // Rows that are copied into a table emptied in the same transaction need no vacuum ever.
  await client.query('truncate event, batch');
  for (const table of ROWS_OF_A_START) await client.query(`delete from ${table}`);
}
