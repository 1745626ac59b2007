import type pg from 'pg';
import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';

/** A stored event with its data. */
export interface Read<Data> {
  readonly stored: StoredEvent;
  readonly data: Data;
}

/** Parses the data of an event. */
export function read(stored: StoredEvent): Read<unknown> {
  return { stored, data: JSON.parse(stored.data) as unknown };
}

/** Rows as a JSON text: there are few of them, and each column is named once. */
export function rowsOf<Data>(
  events: readonly Read<Data>[],
  row: (event: Read<Data>) => Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(
    events.map((event) => {
      const { lane, accountId, accountVersion } = event.stored;
      return { lane, account_id: accountId, account_version: accountVersion, ...row(event) };
    }),
  );
}

/**
 * When the facts of an account's invoices, or of all, changed: held ones are judged again. The
 * system's events are counted by their positions.
 */
export function saveFacts(client: pg.ClientBase, events: readonly Read<unknown>[]) {
  const rows = rowsOf(events, ({ stored }) => ({
    version: stored.lane === SYSTEM_LANE ? stored.position : stored.accountVersion,
  }));
  return client.query({
    name: 'invoices-facts',
    text: `insert into invoice_fact (lane, account_id, version)
           select lane, account_id, max(version)
             from json_populate_recordset(null::invoice_fact, $1) group by 1, 2
           on conflict (lane, account_id) do update set version = excluded.version`,
    values: [rows],
  });
}
