import { createReadStream } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { codeOf } from '#database/errors.js';
import { DamageError } from './backup-fault.js';
import type { ProgressCounter } from './backup-progress.js';
import { CopyInto } from './copy-into.js';
import type { TableFile } from './manifest.js';

const CHUNK_BYTES = 256 * 1024;
const NOT_THE_DATA = /^(?:08|40|53|57|58|XX)/;

/**
 * Loads a table's file inside the caller's transaction. Throws DamageError, with the line, for rows
 * that the table does not take.
 */
export async function loadTable(
  client: pg.ClientBase,
  folder: string,
  { table, columns, rows, file }: TableFile,
  counter: ProgressCounter,
): Promise<void> {
  const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');
  try {
    await copyFile(client, path.join(folder, file), `copy ${table} (${names}) from stdin`);
  } catch (error) {
    throw damageOf(file, error) ?? error;
  }
  const { rows: counted } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  const loaded = Number(counted[0]?.count);
  if (loaded !== rows) {
    throw new DamageError({ file, line: null, reason: `holds ${loaded} rows instead of ${rows}` });
  }
  counter.add(rows);
}

async function copyFile(client: pg.ClientBase, source: string, statement: string): Promise<void> {
  const copy = new CopyInto(client, statement);
  try {
    for await (const chunk of createReadStream(source, { highWaterMark: CHUNK_BYTES })) {
      await copy.write(chunk as Buffer);
    }
    await copy.end();
  } catch (error) {
    await copy.abort();
    throw error;
  }
}

/** The server says of a refused row: `COPY profile, line 12, column body: "…"`. */
function damageOf(file: string, error: unknown): DamageError | undefined {
  const code = codeOf(error);
  if (code === undefined || code.length !== 5 || NOT_THE_DATA.test(code)) return undefined;
  const { where = '' } = error as { readonly where?: string };
  const line = /, line (\d+)/.exec(where)?.[1];
  const reason = error instanceof Error ? error.message : String(error);
  return new DamageError({ file, line: line === undefined ? null : Number(line), reason });
}
