import type pg from 'pg';
import {
  int2Array,
  int8Array,
  jsonArray,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import type { StoredEvent } from '#event-log/event-log.js';

const INSERT = `
insert into raw_event (lane, position, account_id, account_version, call_id, type, at, data)
select * from unnest($1::int2[], $2::int8[], $3::uuid[], $4::int8[], $5::uuid[], $6::text[],
                     $7::timestamptz[], $8::json[])`;

/** A table with the columns, checks and indexes of the log's. */
export async function createRawTable(pool: pg.Pool): Promise<void> {
  await pool.query('create table raw_event (like event including all)');
}

function insertStatement(events: readonly StoredEvent[]): pg.QueryConfig {
  return {
    name: 'bench-raw-insert',
    text: INSERT,
    values: [
      int2Array(events.map(({ lane }) => lane)),
      int8Array(events.map(({ position }) => position)),
      uuidArray(events.map(({ accountId }) => accountId)),
      int8Array(events.map(({ accountVersion }) => accountVersion)),
      uuidArray(events.map(({ callId }) => callId)),
      textArray(events.map(({ type }) => type)),
      momentArray(events.map(({ at }) => at)),
      jsonArray(events.map(({ data }) => data)),
    ],
  };
}

/** Writes batches of rows, each in a transaction of its own, some connections side by side. */
export async function insertRaw(
  pool: pg.Pool,
  batches: readonly (readonly StoredEvent[])[],
  connections: number,
): Promise<void> {
  const left = [...batches].reverse();
  const insertAll = async (): Promise<void> => {
    for (let batch = left.pop(); batch !== undefined; batch = left.pop()) {
      await pool.query(insertStatement(batch));
    }
  };
  await Promise.all(Array.from({ length: connections }, insertAll));
}
