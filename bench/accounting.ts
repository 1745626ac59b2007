import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import type { AppendConnections } from '#event-log/append-servers.js';
import type { EventLog, LaneGroups } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { Accounting, DEFAULT_LIMITS } from '#deciding/accounting.js';
import type { Decider } from '#deciding/submission.js';
import { DeciderThreads } from '#deciding/threads/decider-threads.js';
import type { Stage } from './stage.js';

/** As many as there are appends in flight. */
export const DECIDING_CONNECTIONS = DEFAULT_LIMITS.appends;
const ZONE = 'UTC';
/** Enough that appends are full. */
export const COMMANDS_AT_ONCE = 2_048;

/** The accounting of a process without anything around it: no HTTP, no projections. */
export interface BareAccounting {
  readonly accounting: Decider;
  readonly log: EventLog;
  /** Label of the running window. */
  readonly window: string;
}

/** Decides in this thread, in these groups; not stopped by anything. `appends`: else the pool. */
export function openAccounting(
  pool: pg.Pool,
  groups: LaneGroups,
  onFault: (error: unknown) => void,
  appends?: AppendConnections,
): BareAccounting & { readonly accounting: Accounting } {
  const log = new PostgresEventLog(pool, groups, appends);
  const calendar = new Calendar(ZONE);
  const terms = { calendar, cards: [RATE_CARD_1] };
  const accounting = new Accounting({
    log,
    loader: new AccountLoader(pool),
    clock: { now: () => Date.now() },
    terms: () => terms,
    events: { onFault },
  });
  return { accounting, log, window: calendar.windowAt(Date.now()).label };
}

/** Decides in the main thread. */
export async function startAccounting(stage: Stage, pool: pg.Pool): Promise<BareAccounting> {
  const groups = await storedGroups(pool, DECIDING_CONNECTIONS);
  const opened = openAccounting(pool, groups, (error) => stage.report(`a fault: ${String(error)}`));
  stage.shutdown.stop('the accounting', () => opened.accounting.stop());
  return opened;
}

/** Decides in so many threads, or in the main thread for 0. `pool`: reads the log beside them. */
export async function startDeciders(
  stage: Stage,
  databaseUrl: string,
  pool: pg.Pool,
  deciders: number,
): Promise<BareAccounting> {
  if (deciders === 0) return startAccounting(stage, pool);
  const report = (error: unknown): void => stage.report(`a fault: ${String(error)}`);
  const threads = new DeciderThreads({
    deciders,
    groups: await storedGroups(pool, deciders * DEFAULT_LIMITS.appends),
    databaseUrl,
    zone: ZONE,
    clock: { now: () => Date.now() },
    onFault: report,
    onLost: report,
    onIdleError: report,
    onEnded: report,
  });
  stage.shutdown.stop('the deciders', () => threads.stop());
  await threads.start();
  const window = new Calendar(ZONE).windowAt(Date.now()).label;
  return { accounting: threads, log: new PostgresEventLog(pool), window };
}
