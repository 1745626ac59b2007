import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { apiKeyHashOf, filledAccountId, suffixOf } from './filled-account.js';
import type { AccountRow } from './lane-rows.js';
import { columnsOf, type TableColumn } from './table-columns.js';

/** Rows of accounts by ordinal. */
export type AccountRows = ReadonlyMap<number, AccountRow>;

const ACCOUNTS_PER_STATEMENT = 200;

/**
 * Copies the rows of the first account in each of these tables for all others, which have the same
 * history: lane, ids, API key and head are each account's own, all else is alike.
 */
export async function copyAccountRows(
  client: pg.ClientBase,
  tables: readonly string[],
  rows: AccountRows,
): Promise<void> {
  const others = [...rows.keys()].filter((ordinal) => ordinal > 0);
  for (const table of tables) {
    const columns = await columnsOf(client, table);
    const text = copyStatement(table, columns);
    for (let at = 0; at < others.length; at += ACCOUNTS_PER_STATEMENT) {
      const ordinals = others.slice(at, at + ACCOUNTS_PER_STATEMENT);
      await client.query({ name: `fill-${table}`, text, values: valuesOf(ordinals, rows) });
    }
  }
}

function copyStatement(table: string, columns: readonly TableColumn[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  return `insert into ${table} (${names})
          select ${columns.map(ownValue).join(', ')}
            from ${table} t cross join unnest($1::smallint[], $2::text[], $3::text[], $4::text[])
                                       as own (lane, suffix, hash, head)
           where t.account_id = '${filledAccountId(0)}' and $5::text is not null`;
}

/** Only ids, hashes and JSON text can hold what is an account's own. */
function ownValue({ name, type }: TableColumn): string {
  const column = `t.${name}`;
  if (name === 'lane') return 'own.lane';
  switch (type) {
    case 'uuid':
      return `${withOwnIds(`${column}::text`)}::uuid`;
    case 'bytea':
      return `decode(${withOwnHashes(`encode(${column}, 'hex')`)}, 'hex')`;
    case 'json':
      return `${withOwnHashes(withOwnIds(`${column}::text`))}::json`;
    default:
      return column;
  }
}

function withOwnIds(text: string): string {
  return `replace(${text}, '${suffixOf(0)}', own.suffix)`;
}

function withOwnHashes(text: string): string {
  return `replace(replace(${text}, '${apiKeyHashOf(0)}', own.hash), $5, own.head)`;
}

/** In the order of the parameters. */
function valuesOf(ordinals: readonly number[], rows: AccountRows): unknown[] {
  return [
    ordinals.map((ordinal) => laneOf(filledAccountId(ordinal))),
    ordinals.map(suffixOf),
    ordinals.map(apiKeyHashOf),
    ordinals.map((ordinal) => rows.get(ordinal)?.head),
    rows.get(0)?.head,
  ];
}
