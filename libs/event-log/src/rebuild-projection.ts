import type pg from 'pg';
import { requireCoordinator } from '#database/cluster/coordinator.js';
import { withClient } from '#database/database.js';
import { isTransient } from '#database/errors.js';
import { Alarm } from './alarm.js';
import { ALL_LANES } from './event-log.js';
import { fillProjections, type FillProjections } from './fill-projection.js';
import type { Projection } from './projection.js';
import { eventsBetween, readCheckpoints } from './projection-tables.js';
import type { FillOptions, Positions } from './projection-tables.js';
import { queryAllLanes } from './query-by-lane.js';
import { registerProjection, OutdatedProjectionError } from './projection-batch.js';
import { analyzeShadow, createShadow, dropShadow, switchTables } from './shadow-tables.js';

export interface RebuildProgress {
  /** Its name, or those of several that are built together. */
  readonly projection: string;
  /**
   * `switching`: all is built, and it waits for readers that look at the rows that serve;
   * `catching-up`: the new rows serve, and what lies beyond them in the log is applied.
   */
  readonly stage: 'building' | 'switching' | 'catching-up';
  /** Events applied so far. */
  readonly events: number;
  /** Events to apply, as far as is known by now. */
  readonly total: number;
}

export type RebuildOutcome =
  | { readonly outcome: 'rebuilt'; readonly events: number; readonly seconds: number }
  /** Somebody rebuilds this projection already. */
  | { readonly outcome: 'busy' };

export interface RebuildOptions {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Called with lanes that ended before the checkpoint: their rows are rebuilt first. */
  readonly onStartOver?: (projection: string, lanes: readonly number[]) => void;
  /** Called for each outage of the database that is waited out. */
  readonly onOutage?: (error: unknown) => void;
  /** Ends it before the switch; what serves stays as it is. */
  readonly signal?: AbortSignal;
  readonly eventsMax?: number;
  readonly lanesAtOnce?: number;
  /** Applies the bulk of the events, until little is left; in this thread by default. */
  readonly fill?: FillProjections;
}

/** So little is left that the rows that serve can stand still while it is applied. */
const NEAR_EVENTS = 5_000;
const CLAIM_MS = 2_000;
/** Shorter than the server takes to see a deadlock: a reader never pays for a switch. */
const SWITCH_LOCK_MS = 400;
const READERS_MS = 5_000;
const READERS_POLL_MS = 20;
const AGAIN_MS = 500;
const NEVER = new AbortController().signal;

/**
 * Rebuilds projections from the log's first event, beside the rows that serve, and replaces these
 * with the new rows, one projection after the other: at the same checkpoints, so that every reader
 * sees rows and checkpoints that belong together. What several of them want of the log is read
 * once. Rows that serve are kept up meanwhile by whoever does so. A crash leaves nothing that
 * matters. The pool needs two connections for each lane at once and one more. Answers the outcome
 * of each.
 */
export async function rebuildProjections(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions = {},
): Promise<RebuildOutcome[]> {
  for (const projection of projections) {
    await ensureCheckpoints(pool, projection);
  }
  const startedAt = performance.now();
  return withClient(pool, async (holder) => {
    await requireCoordinator(holder);
    const own: Projection[] = [];
    try {
      for (const projection of projections) {
        if (await tryLock(holder, projection.name)) own.push(projection);
      }
      for (const projection of own) await createShadow(holder, projection);
      if (own.length > 1) await fillTogether(pool, own, options);
      const outcomes = new Map<Projection, RebuildOutcome>();
      for (const projection of own) {
        const rebuild = new Rebuild(pool, holder, projection, options, startedAt);
        outcomes.set(projection, await rebuild.run());
      }
      return projections.map((projection) => outcomes.get(projection) ?? { outcome: 'busy' });
    } finally {
      for (const projection of own) await unlock(holder, projection);
    }
  });
}

/** As far as all of them are kept up: what is left each goes on with alone. */
async function fillTogether(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<void> {
  const serving = await Promise.all(projections.map((each) => readCheckpoints(pool, each, false)));
  const reached = (lane: number): number =>
    Math.min(...serving.map((positions) => positions.get(lane) ?? 0));
  const upTo = new Map(ALL_LANES.map((lane) => [lane, reached(lane)]));
  const total = projections.length * eventsBetween(new Map(), upTo);
  const projection = projections.map(({ name }) => name).join(', ');
  let events = 0;
  const fill = options.fill ?? fillProjections;
  await fill(
    pool,
    projections,
    upTo,
    shadowFill(options, (applied) => {
      events += applied;
      options.onProgress?.({ projection, stage: 'building', events, total });
    }),
  );
}

function shadowFill(
  { eventsMax = 20_000, lanesAtOnce = 3, signal = NEVER }: RebuildOptions,
  onApplied: (events: number) => void,
): FillOptions {
  return { isShadow: true, eventsMax, lanesAtOnce, signal, onApplied };
}

/** Rows of an older version are what a rebuild is for. */
async function ensureCheckpoints(pool: pg.Pool, projection: Projection): Promise<void> {
  try {
    await registerProjection(pool, projection);
  } catch (error) {
    if (!(error instanceof OutdatedProjectionError)) throw error;
  }
}

async function tryLock(holder: pg.ClientBase, projection: string): Promise<boolean> {
  const { rows } = await holder.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('rebuild of ' || $1, 0)) as mine`,
    [projection],
  );
  return rows[0]?.mine === true;
}

/** On a connection that is gone both have happened, or will with the next rebuild. */
async function unlock(holder: pg.ClientBase, projection: Projection): Promise<void> {
  try {
    await dropShadow(holder, projection);
    await holder.query(`select pg_advisory_unlock(hashtextextended('rebuild of ' || $1, 0))`, [
      projection.name,
    ]);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/** Brings the copies of a projection near to the rows that serve, and puts them in their place. */
class Rebuild {
  private events = 0;
  private total = 0;
  private stage: RebuildProgress['stage'] = 'building';
  private readonly alarm = new Alarm();
  private readonly fillOptions: FillOptions;
  private readonly signal: AbortSignal;

  constructor(
    private readonly pool: pg.Pool,
    private readonly holder: pg.ClientBase,
    private readonly projection: Projection,
    private readonly options: RebuildOptions,
    /** By `performance.now()`. */
    private readonly startedAt: number,
  ) {
    this.signal = options.signal ?? NEVER;
    this.fillOptions = shadowFill(options, (events) => {
      this.events += events;
      this.report();
    });
  }

  async run(): Promise<RebuildOutcome> {
    await this.comeNear();
    await analyzeShadow(this.holder, this.projection);
    this.stage = 'switching';
    this.report();
    while (!(await this.trySwitch())) {
      await this.alarm.wait(AGAIN_MS);
      await this.comeNear();
    }
    const seconds = (performance.now() - this.startedAt) / 1_000;
    return { outcome: 'rebuilt', events: this.events, seconds };
  }

  private async comeNear(): Promise<void> {
    for (;;) {
      const serving = await readCheckpoints(this.pool, this.projection, false);
      const built = await this.built();
      const behind = eventsBetween(built, serving);
      this.events = eventsBetween(new Map(), built);
      this.total = this.events + behind;
      this.report();
      if (behind <= NEAR_EVENTS) return;
      const fill = this.options.fill ?? fillProjections;
      await fill(this.pool, [this.projection], serving, this.fillOptions);
    }
  }

  /** One transaction in which the rows that serve stand still; false when it has to wait. */
  private async trySwitch(): Promise<boolean> {
    this.signal.throwIfAborted();
    await this.holder.query('begin');
    try {
      const serving = await this.holdCheckpoints();
      await fillProjections(this.pool, [this.projection], serving, this.fillOptions);
      const isReady = isEqual(await this.built(), serving) && (await this.readersHaveGone());
      if (isReady) await switchTables(this.holder, this.projection, SWITCH_LOCK_MS);
      await this.holder.query(isReady ? 'commit' : 'rollback');
      return isReady;
    } catch (error) {
      await this.holder.query('rollback');
      if (isTransient(error)) return false;
      throw error;
    }
  }

  private async holdCheckpoints(): Promise<Positions> {
    await this.holder.query(`set local lock_timeout to ${CLAIM_MS}`);
    const rows = await queryAllLanes<{ lane: number; position: number }>(this.holder, {
      text: `select lane, position from checkpoint c
                where projection = $1 order by lane for update`,
      values: [this.projection.name],
    });
    return new Map(rows.map(({ lane, position }) => [lane, position]));
  }

  /**
   * A reader whose snapshot is older than the last rows built would find the new tables with some
   * of their rows missing. Those that begin from now on see all of them.
   */
  private async readersHaveGone(): Promise<boolean> {
    const { rows } = await this.holder.query<{ now: string }>(
      'select clock_timestamp()::text as now',
    );
    const until = performance.now() + READERS_MS;
    while (await this.hasReaders(rows[0]?.now ?? '')) {
      this.signal.throwIfAborted();
      if (performance.now() > until) return false;
      await this.alarm.wait(READERS_POLL_MS);
    }
    return true;
  }

  private async hasReaders(since: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and backend_xmin is not null and xact_start < $1::timestamptz limit 1`,
      [since],
    );
    return rowCount !== 0;
  }

  private built(): Promise<Positions> {
    return readCheckpoints(this.pool, this.projection, true);
  }

  private report(): void {
    const { stage, events, total } = this;
    this.options.onProgress?.({ projection: this.projection.name, stage, events, total });
  }
}

function isEqual(one: Positions, other: Positions): boolean {
  return one.size === other.size && [...one].every(([lane, at]) => other.get(lane) === at);
}
