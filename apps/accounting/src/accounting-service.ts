import type { Charging } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import type { ProjectionRunner } from '#event-log/projection-runner.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import { foundationParts, readinessOf, type AskPart } from '#service/readiness-parts.js';
import type { Readiness } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { DueTimer } from './accounts/due-timer.js';
import { Accounting } from './charging/accounting.js';
import { InProcessCharging } from './charging/in-process-charging.js';
import { Settlement } from './charging/settlement.js';
import {
  projectionsPart,
  startProjections,
  type RunningProjections,
} from './log-tools/start-projections.js';

/** The accounting side of a process, running: deciding, projecting, keeping time. */
export interface AccountingService {
  readonly accounting: Accounting;
  readonly charging: Charging;
  readonly settlement: Settlement;
  readonly loader: AccountLoader;
  readonly projections: ProjectionRunner;
  readonly logTools: RunningProjections['logTools'];
  readonly parts: Readonly<Record<string, AskPart>>;
  readonly readiness: Readiness;
}

const DECISION_CONNECTIONS = 8;
/** Shorter than a caller waits, so that an answer is known in time. */
const DECISION_TIMEOUT_MS = 4_000;

/** Starts lane writers, projections and the timer of what falls due; the shutdown stops them. */
export async function startAccounting(
  foundations: Foundations,
  shutdown: Shutdown,
): Promise<AccountingService> {
  const { clock, calendar, logger, databaseUrl } = foundations;
  const onFault = (error: unknown): void => logger.error({ err: error }, 'Accounting has a fault.');
  const decisionPool = servicePool(
    databaseUrl,
    'decisions',
    { connections: DECISION_CONNECTIONS, timeoutMs: DECISION_TIMEOUT_MS },
    logger,
    shutdown,
  );
  const terms: Terms = { calendar, cards: [RATE_CARD_1] };
  const running = await startProjections(foundations, () => terms, shutdown);
  const eventLog = new PostgresEventLog(decisionPool);
  const loader = new AccountLoader(decisionPool);
  const accounting = new Accounting({
    log: eventLog,
    loader,
    clock,
    clockState: () => clock.ready(),
    terms: () => terms,
    events: { onFault, onUnsettled: (call) => void settlement.settle(call) },
  });
  const settlement = new Settlement(eventLog, accounting, clock, onFault);
  const timer = new DueTimer(foundations.pool, accounting, clock, onFault);
  timer.start();
  shutdown.stop('the lane writers', () => accounting.stop());
  shutdown.stop('the settlement', async () => settlement.stop());
  shutdown.stop('the timer', () => timer.stop());
  const parts = {
    ...foundationParts(foundations),
    projections: () => projectionsPart(running.projections),
  };
  return {
    accounting,
    charging: new InProcessCharging(accounting, settlement, loader, clock, () => terms),
    settlement,
    loader,
    ...running,
    parts,
    readiness: readinessOf(parts),
  };
}
