import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { Accounting, type AccountingParts } from '#deciding/accounting.js';
import { SimulatedLedger } from './simulated-ledger.js';

/** Where a wrong variant can be put in the place of the right part. */
export interface Planting {
  /** Behind the network, shared by all processes. */
  readonly store: (store: EventLog) => EventLog;
  readonly ledger: (store: EventLog) => SimulatedLedger;
  /** The log as one process sees it. */
  readonly log: (log: EventLog) => EventLog;
  readonly source: (source: AccountSource) => AccountSource;
  readonly clock: (clock: Clock) => Clock;
  readonly accounting: (parts: AccountingParts) => Accounting;
}

/** Nothing is planted: the real thing. */
export const FAITHFUL: Planting = {
  store: (store) => store,
  ledger: (store) => new SimulatedLedger(store),
  log: (log) => log,
  source: (source) => source,
  clock: (clock) => clock,
  accounting: (parts) => new Accounting(parts),
};
