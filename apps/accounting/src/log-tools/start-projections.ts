import { availableParallelism } from 'node:os';
import type { Terms } from '#account/decide-call.js';
import { isTransient } from '#database/errors.js';
import { bringUpProjections } from '#event-log/bring-up-projection.js';
import type { RebuildProgress } from '#event-log/rebuild-projection.js';
import { LEDGER, ledgerProjection } from '#projections/projections/ledger.projection.js';
import { fillInThreads } from '#projections/lane-threads/fill-in-threads.js';
import { ProjectionThread } from '#projections/projection-thread/projection-thread.js';
import { allProjections } from '#projections/projections/projections.js';
import { briefCause } from '#service/brief-cause.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import type { PartState } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { Rebuilds } from '#rest/system/rebuilds.js';
import { Verifications } from '#rest/system/verifications.js';

/** Projections of a process, and the long works that operators start on log and projections. */
export interface RunningProjections {
  readonly projections: ProjectionThread;
  readonly logTools: { readonly rebuilds: Rebuilds; readonly verifications: Verifications };
}

const TOOL_CONNECTIONS = 8;
const PROGRESS_LOG_MS = 2_000;

/**
 * Starts the projections. The ledger is brought up first, because decisions stand on it; another
 * one that an older version has made is rebuilt while the service charges on. `verified`: what a
 * verification needs to know. `program`: what the projections' thread runs, unless it is what was
 * built.
 */
export async function startProjections(
  foundations: Foundations,
  verified: { readonly terms: () => Terms; readonly webhookSecret: string },
  shutdown: Shutdown,
  program?: URL,
): Promise<RunningProjections> {
  const { calendar, clock, databaseUrl, logger } = foundations;
  const all = allProjections(calendar);
  const onFault = (error: unknown): void => logger.error({ err: error }, 'A log tool has a fault.');
  const onStartOver = startOverReporter(foundations);
  const toolLimits = { connections: TOOL_CONNECTIONS };
  const toolPool = servicePool(databaseUrl, 'log tools', toolLimits, logger, shutdown);
  foundations.telemetry.watchPool('log_tools', toolPool);
  const projections = new ProjectionThread({
    databaseUrl,
    zone: calendar.zone,
    projections: all,
    pool: toolPool,
    onError: (projection, error, fatal) => {
      foundations.disk.note(error);
      logger.error({ err: error, projection, fatal }, 'A projection has a fault.');
    },
    onStartOver,
    onIdleError: (error) => {
      if (!shutdown.hasBegun) logger.warn({ err: error }, 'A connection of projections went away.');
    },
    ...(program !== undefined && { program }),
  });
  await bringUpLedger(foundations, toolPool, onStartOver, shutdown);
  projections.start();
  shutdown.stop('the projections', () => projections.stop());
  const parts = { pool: toolPool, projections: all, clock, onFault };
  // One processor is left to the service.
  const threads = { databaseUrl, count: Math.max(1, availableParallelism() - 1) };
  const fill = fillInThreads(threads, calendar.zone);
  const rebuilds = new Rebuilds({ ...parts, fill, resume: () => projections.start() });
  const verifications = new Verifications({ ...parts, threads, ...verified });
  shutdown.stop('the rebuilds', () => rebuilds.stop());
  shutdown.stop('the verification', () => verifications.stop());
  await rebuilds.startOutdated();
  return { projections, logTools: { rebuilds, verifications } };
}

type OnStartOver = (projection: string, lanes: readonly number[]) => void;

/** Rows beyond the log mean that the database came back older: once is worth an error. */
function startOverReporter({ logger, telemetry }: Foundations): OnStartOver {
  const counts = telemetry.metrics.counts(
    'popindex_projection_lanes_started_over_total',
    'Lanes that ended before the checkpoint of a projection, whose rows were made again.',
  );
  return (projection, lanes) => {
    counts.with({ projection }).value += lanes.length;
    logger.error(
      { projection, lanes },
      'The log ends before the rows of a projection. They are made again.',
    );
  };
}

async function bringUpLedger(
  { calendar, databaseUrl, logger }: Foundations,
  pool: ReturnType<typeof servicePool>,
  onStartOver: OnStartOver,
  shutdown: Shutdown,
): Promise<void> {
  const stopping = new AbortController();
  shutdown.drain('the start of the ledger', async () => stopping.abort());
  let reportedAt = performance.now();
  const onProgress = ({ stage, events, total }: RebuildProgress): void => {
    if (performance.now() - reportedAt < PROGRESS_LOG_MS) return;
    reportedAt = performance.now();
    logger.info({ stage, events, total }, 'The ledger is being brought up before it serves.');
  };
  const fill = fillInThreads({ databaseUrl, count: availableParallelism() }, calendar.zone);
  const onOutage = (err: unknown): void =>
    logger.warn({ err }, 'The ledger is not ready: the database fails. It is tried again.');
  const { signal } = stopping;
  const options = { signal, onProgress, onOutage, onStartOver, fill };
  await bringUpProjections(pool, [ledgerProjection(calendar)], options);
}

/**
 * Rows of another version are no ledger to decide by; a list may be rebuilt meanwhile. An outage is
 * reported by the part of the database, any other refusal of the database only here.
 */
export function projectionsPart(projections: Pick<ProjectionThread, 'status'>): PartState {
  const broken = projections
    .status()
    .filter(
      ({ name, state, error }) =>
        state === 'failed' ||
        (state === 'outdated' && name === LEDGER) ||
        (state === 'waiting-for-database' && !isTransient(error)),
    );
  if (broken.length === 0) return { ready: true };
  return {
    ready: false,
    detail: broken.map(({ name, error }) => `${name}: ${briefCause(error)}`).join('; '),
  };
}
