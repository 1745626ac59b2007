import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import type { Connection } from './connection.js';

/** The log as one process sees it over its connection. */
export function connectedLog(store: EventLog, connection: Connection): EventLog {
  return {
    groups: store.groups,
    append: (appends) => connection.append(store, appends),
    ends: (lanes = store.groups.flat()) =>
      connection.ask(`ends ${lanes.join(' ')}`, lanes, () => store.ends(lanes)),
    read: (lane, after, limit) =>
      connection.ask(`read ${lane} after ${after}`, [lane], () => store.read(lane, after, limit)),
    readAccount: (id, after, limit) =>
      connection.ask('read account', [laneOf(id)], () => store.readAccount(id, after, limit)),
    batches: (lane, after, limit) =>
      connection.ask('batches', [lane], () => store.batches(lane, after, limit)),
    findCalls: (calls) => {
      const lanes = calls.map(({ lane }) => lane);
      return connection.ask(`find calls (${calls.length})`, lanes, () => store.findCalls(calls));
    },
  };
}

/** The ledger as one process sees it over its connection. */
export function connectedSource(source: AccountSource, connection: Connection): AccountSource {
  return {
    load: (ids) => connection.ask(`load (${ids.length})`, ids.map(laneOf), () => source.load(ids)),
    opened: (keys) => {
      const lanes = keys.map(({ accountId }) => laneOf(accountId));
      return connection.ask(`opened keys (${keys.length})`, lanes, () => source.opened(keys));
    },
  };
}
