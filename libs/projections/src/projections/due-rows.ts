import type pg from 'pg';
import { queryByLane } from '#event-log/query-by-lane.js';
import { rowsOf, type Read } from './invoice-rows.js';

/** Documents that are to be drawn up; an invoice may have been sealed among the same events. */
export async function saveDue<Data>(
  client: pg.ClientBase,
  events: readonly Read<Data>[],
  idOf: (event: Read<Data>) => string | undefined,
): Promise<void> {
  await queryByLane<object, Read<Data>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'documents-due-save',
      text: `insert into document_due (lane, account_id, document_id)
           select lane, account_id, document_id
             from json_populate_recordset(null::document_due, $1) d
            where not exists (select from invoice i where (i.lane, i.id) = (d.lane, d.document_id))`,
      values: [rowsOf(own, (event) => ({ document_id: idOf(event) }))],
    }),
  );
}

/** Documents that are not to be drawn up any more. */
export async function dropDue<Data>(
  client: pg.ClientBase,
  events: readonly Read<Data>[],
  idOf: (event: Read<Data>) => string,
): Promise<void> {
  await queryByLane<object, Read<Data>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'documents-due-drop',
      text: `delete from document_due d using json_populate_recordset(null::document_due, $1) s
            where (d.lane, d.document_id) = (s.lane, s.document_id)`,
      values: [rowsOf(own, (event) => ({ document_id: idOf(event) }))],
    }),
  );
}
