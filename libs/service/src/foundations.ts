import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { SHARDS } from '#database/cluster/distribute.js';
import { openDatabase, type DatabaseOptions } from '#database/database.js';
import { clockTimestamp, DatabaseClock } from '#database/database-clock.js';
import { migrate } from '#database/migrate.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { findArchivedCalls } from '#event-log/archive-events.js';
import { LaneWatch } from '#event-log/lane-watch.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { knownCards } from '#projections/reads/known-cards.js';
import { PostgresAccountReads } from '#projections/reads/postgres-account-reads.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { PostgresKeyDirectory } from '#projections/loading/postgres-key-directory.js';
import { PostgresReleases } from '#popularity/postgres-releases.js';
import { serveRegions } from '#popularity/regions.js';
import { serveSources } from '#popularity/sources.js';
import type { Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { SharedRates } from '#web/rates/rate-limits.js';
import type { Shutdown } from '#web/shutdown.js';
import { addressOf, StartupError, withAnsweringDatabase } from '#web/startup-error.js';
import { VERSION } from '#web/version.js';
import { checkSettings, fixSettings, type FixedSettings } from './fixed-settings.js';
import { watchCoordinator } from './coordinator-warnings.js';
import { DiskWatch } from './disk-watch.js';
import { watchSync } from './sync-warnings.js';
import { askLanesAway, watchLanesAway, type LanesAway } from './lane-warnings.js';
import { LostPositionsLog } from './lost-positions.js';
import { openTelemetry, type ServiceTelemetry } from './telemetry.js';

/** The foundations of every process of the service, API and accounting alike. */
export interface Foundations {
  readonly configuration: Configuration;
  readonly databaseUrl: string;
  readonly logger: Log;
  readonly telemetry: ServiceTelemetry;
  /** Connections for reads and administration. */
  readonly pool: pg.Pool;
  /** Connections for short statements: no long read holds one, and a silent one is soon noticed. */
  readonly callPool: pg.Pool;
  readonly disk: DiskWatch;
  readonly eventLog: PostgresEventLog;
  readonly system: SystemStream;
  /**
   * Notified by whichever part finds that the log went back; it notifies every cache of the log.
   */
  readonly watch: LaneWatch;
  readonly lostPositions: LostPositionsLog;
  /** Asks for the lanes that a cluster does not reach. */
  readonly lanesAway: () => Promise<LanesAway>;
  readonly calendar: Calendar;
  readonly clock: DatabaseClock;
  readonly releases: PostgresReleases;
  readonly keys: PostgresKeyDirectory;
  readonly reads: PostgresAccountReads;
  readonly invoices: PostgresInvoiceReads;
  /** One count for all servers of the process. */
  readonly rates: SharedRates;
}

const READ_CONNECTIONS = 6;
const READ_TIMEOUT_MS = 30_000;
/** A customer waits 15 s at most, and for a connection too. */
const CUSTOMER_READ_TIMEOUT_MS = 8_000;
const CALL_CONNECTIONS = 6;
/** One for each group of lanes: some may have to wait for a server that hangs. */
const LANE_CONNECTIONS = SHARDS.max;
/**
 * Time limit of what every call needs first: short, so that a database that hangs is reported in
 * time.
 */
const CALL_TIMEOUT_MS = 4_000;

export interface PoolLimits {
  readonly connections: number;
  readonly timeoutMs?: number;
  readonly idleTransactionTimeoutMs?: number;
}

/** Opens a pool that the shutdown closes. */
export function servicePool(
  url: string,
  name: string,
  options: PoolLimits,
  logger: Log,
  shutdown: Shutdown,
): pg.Pool {
  const pool = openDatabase(poolOptions(url, name, options, logger, shutdown));
  shutdown.stop(`connections of ${name}`, () => pool.end());
  return pool;
}

/** Of such a pool. */
export function poolOptions(
  url: string,
  name: string,
  options: PoolLimits,
  logger: Log,
  shutdown: Shutdown,
): DatabaseOptions {
  return {
    url,
    applicationName: `popindex ${name}`,
    connectionsMax: options.connections,
    ...(options.timeoutMs !== undefined && { statementTimeoutMs: options.timeoutMs }),
    ...(options.idleTransactionTimeoutMs !== undefined && {
      idleTransactionTimeoutMs: options.idleTransactionTimeoutMs,
    }),
    onIdleError: (error) => {
      // A database that stops after this process ends what is still open, which is no news then.
      if (!shutdown.hasBegun) logger.warn({ err: error }, `A connection of ${name} went away.`);
    },
  };
}

/**
 * Migrates the database and opens what stands on it; everything is stopped by the shutdown.
 * Throws StartupError for a database that does not answer, one that charges in another zone or
 * has other regions, or one in which calls are archived.
 */
export async function openFoundations(
  configuration: Configuration,
  database: DatabaseUrls,
  logger: Log,
  shutdown: Shutdown,
): Promise<Foundations> {
  const { url: databaseUrl, migrationUrl } = database;
  const ownerUrl = migrationUrl ?? databaseUrl;
  const migrations = await withAnsweringDatabase(
    database,
    () => migrate(ownerUrl, databaseUrl),
    true,
  );
  const facts = { version: VERSION, node: process.versions.node, database: addressOf(databaseUrl) };
  logger.info({ ...facts, migrations }, 'Starting.');
  return withAnsweringDatabase(database, () =>
    openMigrated(configuration, databaseUrl, logger, shutdown, (system, clock, settings) =>
      fixSettings(system, settings, clock.now()),
    ),
  );
}

/** The same for whoever only reads a log that is there: nothing is migrated or appended. */
export async function openFoundationsAsTheyAre(
  configuration: Configuration,
  database: DatabaseUrls,
  logger: Log,
  shutdown: Shutdown,
): Promise<Foundations> {
  return withAnsweringDatabase(database, () =>
    openMigrated(configuration, database.url, logger, shutdown, (system, _clock, settings) =>
      checkSettings(system, settings),
    ),
  );
}

async function openMigrated(
  configuration: Configuration,
  databaseUrl: string,
  logger: Log,
  shutdown: Shutdown,
  settle: (system: SystemStream, clock: Clock, settings: FixedSettings) => Promise<void>,
): Promise<Foundations> {
  const telemetry = await openTelemetry(configuration, logger, shutdown);
  const timeoutMs = configuration.mode === 'api' ? CUSTOMER_READ_TIMEOUT_MS : READ_TIMEOUT_MS;
  const limits = { connections: READ_CONNECTIONS, timeoutMs };
  const pool = servicePool(databaseUrl, 'reads', limits, logger, shutdown);
  const callLimits = { connections: CALL_CONNECTIONS, timeoutMs: CALL_TIMEOUT_MS };
  const callPool = servicePool(databaseUrl, 'calls', callLimits, logger, shutdown);
  const laneLimits = { connections: LANE_CONNECTIONS, timeoutMs: CALL_TIMEOUT_MS };
  const lanePool = servicePool(databaseUrl, 'lanes', laneLimits, logger, shutdown);
  telemetry.watchPool('reads', pool);
  telemetry.watchPool('calls', callPool);
  const clock = new DatabaseClock({
    askDatabase: clockTimestamp(callPool),
    onFault: (error) => logger.warn({ err: error }, 'The database did not return the time.'),
  });
  await clock.start();
  shutdown.stop('the clock', async () => clock.stop());
  const eventLog = new PostgresEventLog(pool);
  const { metrics } = telemetry;
  const lanesAway = askLanesAway(lanePool);
  watchLanesAway(metrics, lanesAway);
  watchCoordinator(metrics, callPool);
  if (configuration.databaseRequireSync) watchSync(metrics, pool);
  const lostPositions: LostPositionsLog = new LostPositionsLog({
    system: () => system,
    clock,
    logger,
    metrics,
  });
  const watch = watchLanes(eventLog, lostPositions, logger, shutdown);
  const system = new SystemStream(eventLog, watch);
  const calendar = new Calendar(configuration.billingTimeZone);
  const { dashboardUrl, regions, sources } = configuration;
  await settle(system, clock, { billingTimeZone: calendar.zone, regions, sources });
  serveRegions(regions);
  serveSources(sources);
  await refuseArchivedCalls(pool);
  const releases = await openReleases(callPool, system, dashboardUrl, logger, shutdown);
  return {
    configuration,
    databaseUrl,
    logger,
    telemetry,
    pool,
    callPool,
    disk: new DiskWatch(callPool),
    eventLog,
    system,
    watch,
    lostPositions,
    lanesAway,
    calendar,
    clock,
    releases,
    keys: new PostgresKeyDirectory(callPool),
    reads: new PostgresAccountReads(pool, calendar, clock, knownCards(system, clock)),
    invoices: new PostgresInvoiceReads(pool, system, calendar, clock),
    rates: new MemoryRateLimits(),
  };
}

async function refuseArchivedCalls(pool: pg.Pool): Promise<void> {
  const fault = await findArchivedCalls(pool);
  if (fault !== undefined) throw new StartupError(fault);
}

async function openReleases(
  pool: pg.Pool,
  stream: SystemStream,
  dashboardUrl: string,
  logger: Log,
  shutdown: Shutdown,
): Promise<PostgresReleases> {
  const releases = new PostgresReleases({
    pool,
    stream,
    dashboardUrl,
    onError: (error) => logger.warn({ err: error }, 'The releases could not be read.'),
  });
  await releases.refresh();
  releases.start();
  shutdown.stop('the releases', async () => releases.stop());
  return releases;
}

function watchLanes(
  log: PostgresEventLog,
  lostPositions: LostPositionsLog,
  logger: Log,
  shutdown: Shutdown,
): LaneWatch {
  const watch = new LaneWatch({
    log,
    onLost: (lost) => lostPositions.take(lost),
    onFault: (error) => logger.error({ err: error }, 'The ends of lanes could not be looked at.'),
  });
  shutdown.stop('the watch of lanes', () => watch.stop());
  shutdown.stop('the lost positions', () => lostPositions.stop());
  return watch;
}
