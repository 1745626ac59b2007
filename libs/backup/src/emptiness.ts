import type pg from 'pg';
import { BACKED_UP_TABLES, REBUILT_TABLES } from './backed-up-tables.js';

/** Rows of a table that count as content: an empty log has its lanes and may have checkpoints. */
const CONTENT: readonly (readonly [table: string, condition: string])[] = [
  ['lane', 'position > 0'],
  ['event', 'true'],
  ['batch', 'true'],
  ['checkpoint', 'position > 0'],
  ...[...BACKED_UP_TABLES, ...REBUILT_TABLES.filter(isContent)].map(
    (table) => [table, 'true'] as const,
  ),
];

/** An empty log may have been verified. */
function isContent(table: string): boolean {
  return table !== 'checkpoint' && table !== 'verification';
}

/**
 * Why a backup cannot be restored into this database, or undefined for one that holds nothing yet,
 * migrated or not.
 */
export async function whyNotEmpty(client: pg.ClientBase): Promise<string | undefined> {
  for (const [table, condition] of CONTENT) {
    const known = await client.query<{ found: boolean }>(
      'select to_regclass($1) is not null as found',
      [table],
    );
    if (known.rows[0]?.found !== true) continue;
    const { rowCount } = await client.query(`select from ${table} where ${condition} limit 1`);
    if (rowCount === 0) continue;
    const what =
      table === 'lane' ? `its log holds ${await countEvents(client)}` : `table ${table} has rows`;
    return `The database is not empty, ${what}: a backup is restored into an empty one. Create another database, or choose another DATA_DIR.`;
  }
  return undefined;
}

async function countEvents(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ events: string }>(
    'select sum(position)::text as events from lane',
  );
  const events = rows[0]?.events ?? '0';
  return `${events} ${events === '1' ? 'event' : 'events'}`;
}
