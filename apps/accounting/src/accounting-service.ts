import type { Charging } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import { UnsettledJournal } from '#charging-link/unsettled-journal.js';
import { AppendServers } from '#event-log/append-servers.js';
import type { LaneGroups } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import type { ProjectionThread } from '#projections/projection-thread/projection-thread.js';
import { allProjections } from '#projections/projections/projections.js';
import { appendWarnings, watchIndirectAppends } from '#service/append-warnings.js';
import { DamageWatch } from '#service/damage-watch.js';
import { poolOptions, servicePool, type Foundations } from '#service/foundations.js';
import {
  foundationParts,
  foundationWarnings,
  readinessOf,
  withWarnings,
  type AskPart,
} from '#service/readiness-parts.js';
import { settleLeftCalls } from '#service/unanswered-calls.js';
import type { Readiness } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { decisionPart } from '#deciding/decision-part.js';
import type { DecisionWatch } from '#deciding/decision-watch.js';
import { DueTimer } from '#deciding/due-timer.js';
import { DEFAULT_LIMITS, type AccountingParts } from '#deciding/accounting.js';
import type { PriceSource } from '#deciding/current-terms.js';
import { InProcessCharging } from '#deciding/in-process-charging.js';
import { measuredLog } from '#deciding/metrics/measured-log.js';
import { Settlement } from '#deciding/settlement.js';
import type { Decider } from '#deciding/submission.js';
import { startDecider } from '#deciding/threads/start-decider.js';
import { startInvoicing } from '#invoicing/start-invoicing.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import type { Deliveries } from '#deliveries/deliveries.js';
import { startDeliveries } from '#deliveries/start-deliveries.js';
import {
  projectionsPart,
  startProjections,
  type RunningProjections,
} from './log-tools/start-projections.js';
import {
  watchDamage,
  watchDeliveries,
  watchInvoices,
  watchProjections,
} from './metrics/accounting-metrics.js';
import { startReceipts, type RunningReceipts } from '#receipts/start-receipts.js';
import type { RateCards } from '#deciding/rate-cards/rate-cards.js';
import { startRateCards } from '#deciding/rate-cards/start-rate-cards.js';
import type { SignInRecords } from '#rest/sign-in/sign-in-records.js';
import { startSignInRecords } from './start-sign-in-records.js';

/** The accounting side of a process, running: deciding, projecting, keeping time. */
export interface AccountingService {
  readonly accounting: Decider;
  /** Whether commands are decided. */
  readonly decisions: DecisionWatch;
  readonly charging: Charging;
  readonly settlement: Settlement;
  readonly loader: AccountLoader;
  readonly rateCards: RateCards;
  readonly prices: PriceSource;
  readonly deliveries: Deliveries;
  readonly invoicing: Invoicing;
  readonly receipts: RunningReceipts;
  readonly projections: ProjectionThread;
  readonly logTools: RunningProjections['logTools'];
  readonly signInRecords: SignInRecords;
  readonly parts: Readonly<Record<string, AskPart>>;
  readonly readiness: Readiness;
}

/** Beside one for each group's append: for what is read meanwhile. */
const MORE_CONNECTIONS = 6;
/** Shorter than a caller waits, so that an answer is known in time. */
const DECISION_TIMEOUT_MS = 4_000;

/**
 * Starts lane writers, projections, the timer of what falls due and the deliveries; the shutdown
 * stops them. `webhookSecret`: what encrypts the webhooks' secrets and the keys of receipts, the
 * same in every process. `isBesideApi`: whether this thread answers customers, too.
 */
export async function startAccounting(
  foundations: Foundations,
  webhookSecret: string,
  shutdown: Shutdown,
  isBesideApi = false,
): Promise<AccountingService> {
  const { clock, logger, telemetry } = foundations;
  const { metrics } = telemetry;
  const { deciders } = foundations.configuration;
  const appends = appendsInFlight(deciders, isBesideApi);
  const groups = await storedGroups(foundations.callPool, appends);
  const { decisionPool, eventLog, appendServers } = openDecisions(foundations, groups, shutdown);
  const { liveTerms, rateCards } = await startRateCards(foundations, eventLog, shutdown);
  const terms = (): Terms => liveTerms.terms();
  const running = await startProjections(foundations, { terms, webhookSecret }, shutdown);
  const log = measuredLog(eventLog, metrics);
  const loader = new AccountLoader(decisionPool);
  const deciding = { log, loader, terms, liveTerms };
  const started = await startDeciding(foundations, deciding, shutdown);
  const { accounting, decisions, settlement, timer } = started;
  const parts = {
    ...foundationParts(foundations),
    projections: () => projectionsPart(running.projections),
    rate_cards: () => liveTerms.state(),
    decisions: decisionPart(foundations.callPool, decisions),
    ...started.parts,
  };
  const readiness = withWarnings(
    readinessOf(parts, logger),
    ...foundationWarnings(foundations),
    async () => appendWarnings(appendServers.indirect, await foundations.lanesAway()),
  );
  const { projections } = running;
  const closeMonths = () => timer.tickAll(true);
  const needs = { accounting, projections, closeMonths };
  const invoicing = startInvoicing(foundations, needs, shutdown);
  const deliveries = startDeliveries(foundations, webhookSecret, shutdown);
  const signing = { secret: webhookSecret, ensures: true };
  const receipts = await startReceipts(foundations, signing, shutdown);
  const signInRecords = startSignInRecords(foundations, shutdown);
  watchProjections(metrics, foundations.pool, allProjections(foundations.calendar));
  startDamageWatch(foundations, shutdown);
  watchDeliveries(metrics, deliveries);
  watchInvoices(metrics, foundations.pool);
  telemetry.watchReadiness(readiness);
  return {
    accounting,
    charging: new InProcessCharging(accounting, loader, clock, liveTerms, log),
    settlement,
    loader,
    rateCards,
    prices: liveTerms,
    deliveries,
    invoicing,
    receipts,
    signInRecords,
    decisions,
    ...running,
    parts,
    readiness,
  };
}

/** The log as who decides appends to it; threads that do open one of their own each. */
function openDecisions(
  { databaseUrl, logger, telemetry }: Foundations,
  groups: LaneGroups,
  shutdown: Shutdown,
) {
  const limits = {
    connections: groups.length + MORE_CONNECTIONS,
    timeoutMs: DECISION_TIMEOUT_MS,
  };
  const decisionPool = servicePool(databaseUrl, 'decisions', limits, logger, shutdown);
  telemetry.watchPool('decisions', decisionPool);
  const options = poolOptions(databaseUrl, 'decisions', limits, logger, shutdown);
  const appendServers = AppendServers.start(decisionPool, options);
  shutdown.stop('connections of appends', () => appendServers.stop());
  watchIndirectAppends(telemetry.metrics, appendServers);
  const eventLog = new PostgresEventLog(decisionPool, groups, appendServers);
  return { decisionPool, eventLog, appendServers };
}

/**
 * As many as there are groups: with more of them, appends would be smaller. A thread that only
 * decides would idle without a second one; one that answers customers has other work meanwhile.
 */
function appendsInFlight(deciders: number, isBesideApi: boolean): number {
  if (deciders === 0 && isBesideApi) return 1;
  return Math.max(1, deciders) * DEFAULT_LIMITS.appends;
}

/** Logs and counts accounts with an event that cannot be applied. */
function startDamageWatch({ pool, logger, telemetry }: Foundations, shutdown: Shutdown): void {
  watchDamage(telemetry.metrics, pool);
  const damage = new DamageWatch(pool, logger);
  damage.start();
  shutdown.stop('the watch over damaged accounts', () => damage.stop());
}

/** Starts what decides, what settles calls of unknown fate, and the timer of what falls due. */
async function startDeciding(
  foundations: Foundations,
  own: Pick<AccountingParts, 'log' | 'loader' | 'terms' | 'liveTerms'>,
  shutdown: Shutdown,
) {
  const { clock, configuration, disk, logger, pool } = foundations;
  const onFault = (error: unknown): void => {
    disk.note(error);
    logger.error({ err: error }, 'Accounting has a fault.');
  };
  const running = await startDecider(foundations, own, onFault, shutdown);
  const { decider, decisions, parts } = running;
  const journal = new UnsettledJournal(configuration.dataDir, onFault);
  const settlement = new Settlement(own.log, decider, clock, onFault, undefined, journal);
  await settlement.recover();
  settleLeftCalls(foundations, (call) => settlement.kept(call), shutdown);
  const timer = new DueTimer(pool, decider, clock, foundations.calendar, onFault);
  timer.start();
  shutdown.stop('the settlement', async () => settlement.stop());
  shutdown.stop('the timer', () => timer.stop());
  return { accounting: decider, decisions, parts, settlement, timer };
}
