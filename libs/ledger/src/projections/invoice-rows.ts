import type { StoredEvent } from '#event-log/event-log.js';

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
