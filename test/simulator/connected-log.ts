import type { EventLog } from '#event-log/event-log.js';
import type { AccountSource } from '#ledger/loading/account-source.js';
import type { Connection } from './connection.js';

/** The log as one process sees it over its connection. */
export function connectedLog(store: EventLog, connection: Connection): EventLog {
  return {
    groups: store.groups,
    append: (appends) => connection.append(store, appends),
    ends: (lanes) => connection.ask(`ends ${lanes?.join(' ') ?? ''}`, () => store.ends(lanes)),
    read: (lane, after, limit) =>
      connection.ask(`read ${lane} after ${after}`, () => store.read(lane, after, limit)),
    readAccount: (id, after, limit) =>
      connection.ask('read account', () => store.readAccount(id, after, limit)),
    batches: (lane, after, limit) =>
      connection.ask('batches', () => store.batches(lane, after, limit)),
    findCalls: (calls) =>
      connection.ask(`find calls (${calls.length})`, () => store.findCalls(calls)),
  };
}

/** The ledger as one process sees it over its connection. */
export function connectedSource(source: AccountSource, connection: Connection): AccountSource {
  return {
    load: (ids) => connection.ask(`load (${ids.length})`, () => source.load(ids)),
    opened: (keys) => connection.ask(`opened keys (${keys.length})`, () => source.opened(keys)),
  };
}
