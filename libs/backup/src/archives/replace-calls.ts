import { hash } from 'node:crypto';
import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import type { ArchiveFile } from '#event-log/archive-events.js';
import { readArchiveFile } from './archive-file.js';
import { leftOf, type ArchivedEvent } from './archive-line.js';

/** Rows that one transaction changes: it is short, and waits for nobody. */
const ROWS = 2_000;
/** SQL for a call whose data is replaced. */
const CALL = `e.position = n.position and e.type = 'CallMade'`;

/**
 * Takes the data of a file's calls out of the log. A row is changed only while it holds the very
 * bytes that stand in the file, so it can be repeated, and goes on where it was ended. Runs as the
 * owner of the log, whose rows nobody else may change. Throws for a row that holds something else.
 */
export async function takeOut(
  pool: pg.Pool,
  folder: string,
  archive: number,
  file: ArchiveFile,
): Promise<void> {
  await replace(pool, folder, file, {
    isHeld: `encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex') = n.held
             or e.data::text = n.data`,
    held: ({ event }) => hash('sha256', event.data, 'hex'),
    data: (call) => leftOf(archive, call),
  });
}

/** Puts the data of a file's calls back into the log. Can be repeated likewise. */
export async function bringBack(
  pool: pg.Pool,
  folder: string,
  archive: number,
  file: ArchiveFile,
): Promise<void> {
  await replace(pool, folder, file, {
    isHeld: 'e.data::text in (n.held, n.data)',
    held: (call) => leftOf(archive, call),
    data: ({ event }) => event.data,
  });
}

/** Whether all of a file's calls are out: they go in the order of their positions. */
export async function isOut(pool: pg.Pool, { lane, positions }: ArchiveFile): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from event where lane = $1 and position = $2 and data ->> 'api_key' like 'archived%'`,
    [lane, positions[1]],
  );
  return rowCount === 1;
}

interface Replacement {
  /** SQL for whether a row `e` holds what a call `n` says, or what is to take its place. */
  readonly isHeld: string;
  readonly held: (call: ArchivedEvent) => string;
  readonly data: (call: ArchivedEvent) => string;
}

async function replace(
  pool: pg.Pool,
  folder: string,
  { lane, file }: ArchiveFile,
  { isHeld, held, data }: Replacement,
): Promise<void> {
  for await (const page of readArchiveFile(folder, { file })) {
    for (let first = 0; first < page.length; first += ROWS) {
      const calls = page.slice(first, first + ROWS);
      const positions = calls.map(({ event }) => event.position);
      const ids = calls.map(({ event }) => event.callId);
      const texts = calls.map(data);
      await withTransaction(pool, async (client) => {
        // A cluster compares texts of JSON only while it reads.
        const { rowCount } = await client.query(
          `select from event e
             join unnest($2::int8[], $3::uuid[], $4::text[], $5::text[])
                  as n (position, id, held, data) on ${CALL} and e.call_id = n.id
            where e.lane = $1 and (${isHeld}) for update of e`,
          [lane, positions, ids, calls.map(held), texts],
        );
        if (rowCount !== calls.length) {
          const which = `positions ${positions[0]} to ${positions.at(-1)}`;
          throw new Error(`Lane ${lane} holds other calls than ${file} among ${which}.`);
        }
        await client.query(
          `update event e set data = n.data
             from unnest($2::int8[], $3::json[]) as n (position, data)
            where e.lane = $1 and ${CALL}`,
          [lane, positions, texts],
        );
      });
    }
  }
}
