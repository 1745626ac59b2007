import type { Charging } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { ledgerProjection } from '#ledger/ledger.projection.js';
import { windowsProjection } from '#ledger/windows.projection.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import { foundationParts, readinessOf, type AskPart } from '#service/readiness-parts.js';
import type { PartState, Readiness } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { DueTimer } from './accounts/due-timer.js';
import { Accounting } from './charging/accounting.js';
import { InProcessCharging } from './charging/in-process-charging.js';
import { Settlement } from './charging/settlement.js';

/** The accounting side of a process, running: deciding, projecting, keeping time. */
export interface AccountingService {
  readonly accounting: Accounting;
  readonly charging: Charging;
  readonly settlement: Settlement;
  readonly loader: AccountLoader;
  readonly projections: ProjectionRunner;
  readonly parts: Readonly<Record<string, AskPart>>;
  readonly readiness: Readiness;
}

const DECISION_CONNECTIONS = 8;
/** Shorter than a caller waits, so that an answer is known in time. */
const DECISION_TIMEOUT_MS = 4_000;
const PROJECTION_CONNECTIONS = 4;

function projectionsPart(projections: ProjectionRunner): PartState {
  const failed = projections.status().filter(({ state }) => state === 'failed');
  if (failed.length === 0) return { ready: true };
  return {
    ready: false,
    detail: failed.map(({ name, error }) => `${name}: ${String(error)}`).join('; '),
  };
}

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
  const limits = { connections: PROJECTION_CONNECTIONS };
  const projectionPool = servicePool(databaseUrl, 'projections', limits, logger, shutdown);
  const projections = new ProjectionRunner(projectionPool, [ledgerProjection, windowsProjection], {
    onError: (projection, error, fatal) =>
      logger.error({ err: error, projection, fatal }, 'A projection has a fault.'),
  });
  projections.start();
  shutdown.stop('the projections', () => projections.stop());

  const eventLog = new PostgresEventLog(decisionPool);
  const loader = new AccountLoader(decisionPool);
  const terms: Terms = { calendar, cards: [RATE_CARD_1] };
  const accounting = new Accounting({
    log: eventLog,
    loader,
    clock,
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
    projections: () => projectionsPart(projections),
  };
  return {
    accounting,
    charging: new InProcessCharging(accounting, settlement, loader, clock, () => terms),
    settlement,
    loader,
    projections,
    parts,
    readiness: readinessOf(parts),
  };
}
