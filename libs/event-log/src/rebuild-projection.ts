import type pg from 'pg';
import { withClient } from '#database/database.js';
import { isTransient } from '#database/errors.js';
import { Alarm } from './alarm.js';
import { standingArchives } from './standing-archives.js';
import { ArchivedCallsError } from './archived-call.js';
import { eventsBetween, fillProjection, readCheckpoints } from './fill-projection.js';
import type { FillOptions, FillProjection, Positions } from './fill-projection.js';
import { CHANGES } from './milestones.js';
import type { Projection } from './projection.js';
import { queryEachGroup } from './query-by-group.js';
import { registerProjection, OutdatedProjectionError } from './projection-batch.js';
import {
  analyzeShadow,
  createShadow,
  dropShadow,
  shadowSchema,
  switchTables,
} from './shadow-tables.js';

export interface RebuildProgress {
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
  readonly fill?: FillProjection;
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
 * Rebuilds a projection from the log's first event, beside the rows that serve, and replaces them
 * with the new rows: at the same checkpoints, so that every reader sees rows and checkpoints that
 * belong together. Rows that serve are kept up meanwhile by whoever does so. A crash leaves nothing
 * that matters. The pool needs `lanesAtOnce` and one more connections. Throws ArchivedCallsError
 * for one that wants calls where some are archived.
 */
export async function rebuildProjection(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<RebuildOutcome> {
  await refuseWithoutCalls(pool, projection);
  await ensureCheckpoints(pool, projection);
  return withClient(pool, async (holder) => {
    if (!(await tryLock(holder, projection.name))) return { outcome: 'busy' };
    try {
      return await new Rebuild(pool, holder, projection, options).run();
    } finally {
      await unlock(holder, projection);
    }
  });
}

/** Throws ArchivedCallsError where calls are wanted whose data is not in the log. */
async function refuseWithoutCalls(pool: pg.Pool, { wants }: Projection): Promise<void> {
  if (wants === CHANGES) return;
  const [archive] = await standingArchives(pool);
  if (archive !== undefined) throw new ArchivedCallsError(archive.archive);
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

class Rebuild {
  private events = 0;
  private total = 0;
  private stage: RebuildProgress['stage'] = 'building';
  private readonly startedAt = performance.now();
  private readonly alarm = new Alarm();
  private readonly fillOptions: FillOptions;
  private readonly signal: AbortSignal;

  constructor(
    private readonly pool: pg.Pool,
    private readonly holder: pg.ClientBase,
    private readonly projection: Projection,
    private readonly options: RebuildOptions,
  ) {
    const { eventsMax = 20_000, lanesAtOnce = 3, signal = NEVER } = options;
    this.signal = signal;
    this.fillOptions = {
      schema: shadowSchema(projection),
      eventsMax,
      lanesAtOnce,
      signal,
      onApplied: (events) => {
        this.events += events;
        this.report();
      },
    };
  }

  async run(): Promise<RebuildOutcome> {
    await createShadow(this.holder, this.projection);
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
      const serving = await readCheckpoints(this.pool, this.projection.name, null);
      const built = await this.built();
      const behind = eventsBetween(built, serving);
      this.total = this.events + behind;
      this.report();
      if (behind <= NEAR_EVENTS) return;
      const fill = this.options.fill ?? fillProjection;
      await fill(this.pool, this.projection, serving, this.fillOptions);
    }
  }

  /** One transaction in which the rows that serve stand still; false when it has to wait. */
  private async trySwitch(): Promise<boolean> {
    this.signal.throwIfAborted();
    await this.holder.query('begin');
    try {
      const serving = await this.holdCheckpoints();
      await fillProjection(this.pool, this.projection, serving, this.fillOptions);
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
    const rows = await queryEachGroup<{ lane: number; position: number }>(
      this.holder,
      (inGroup) => ({
        text: `select lane, position from checkpoint c
                where projection = $1 and ${inGroup('c')} order by lane for update`,
        values: [this.projection.name],
      }),
    );
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
    return readCheckpoints(this.pool, this.projection.name, shadowSchema(this.projection));
  }

  private report(): void {
    const { stage, events, total } = this;
    this.options.onProgress?.({ projection: this.projection.name, stage, events, total });
  }
}

function isEqual(one: Positions, other: Positions): boolean {
  return one.size === other.size && [...one].every(([lane, at]) => other.get(lane) === at);
}
