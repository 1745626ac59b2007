import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { laneGroups, type EventLog } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { AccountLoader } from '#ledger/loading/account-loader.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { Accounting, DEFAULT_LIMITS } from '#deciding/accounting.js';
import type { Stage } from './stage.js';

/** As many as there are appends in flight. */
export const DECIDING_CONNECTIONS = DEFAULT_LIMITS.appends;
/** Enough that appends are full. */
export const COMMANDS_AT_ONCE = 2_048;

/** The accounting of a process without anything around it: no HTTP, no projections. */
export interface BareAccounting {
  readonly accounting: Accounting;
  readonly log: EventLog;
  /** Label of the running window. */
  readonly window: string;
}

export function startAccounting(stage: Stage, pool: pg.Pool): BareAccounting {
  const log = new PostgresEventLog(pool, laneGroups(DECIDING_CONNECTIONS));
  const calendar = new Calendar('UTC');
  const terms = { calendar, cards: [RATE_CARD_1] };
  const accounting = new Accounting({
    log,
    loader: new AccountLoader(pool),
    clock: { now: () => Date.now() },
    terms: () => terms,
    events: {
      onFault: (error) => stage.report(`a fault: ${String(error)}`),
    },
  });
  stage.shutdown.stop('the accounting', () => accounting.stop());
  return { accounting, log, window: calendar.windowAt(Date.now()).label };
}
