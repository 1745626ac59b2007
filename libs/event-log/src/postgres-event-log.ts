import pg from 'pg';
import { withClient } from '#database/database.js';
import { codeOf, constraintOf, faultOf, isTransient } from '#database/errors.js';
import type { AppendConnections } from './append-servers.js';
import { planAppend, type PlannedLane } from './append-plan.js';
import { appendStatement } from './append-statement.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from './event-row.js';
import {
  AppendUncertainError,
  BadEventError,
  LANE_GROUPS,
  LogUnavailableError,
  laneGroups,
  laneOf,
  type CallReference,
  type EventLog,
  type LaneAppend,
  type LaneEnd,
  type LaneGroups,
  type StoredBatch,
  type StoredEvent,
} from './event-log.js';
import {
  isWorthAnotherTry,
  mayHaveMoved,
  movedGroups,
  queryByLane,
  readGroups,
  retryWhileShardsMove,
} from './query-by-lane.js';

/**
 * States in which a server may still have written the commit: it went down or lost its disk. One
 * that goes on reports them as an ERROR, and has rolled back; but in a cluster another one, for
 * which it waited, may still have written.
 */
const DOUBTFUL_STATES = /^(?:08|57P|58|F0|XX)/;

/** The server gave up; in a cluster that is in doubt, too. */
const CANCELED = '57014';

/** The log in PostgreSQL. The pool is the caller's, from `openDatabase`. */
export class PostgresEventLog implements EventLog {
  private current: LaneGroups;

  /** Groups that are written to are those of `storedGroups`; `appends`: for them, else the pool. */
  constructor(
    private readonly pool: pg.Pool,
    groups: LaneGroups = laneGroups(LANE_GROUPS),
    private readonly appends: AppendConnections = {
      lend: (_lane, use) => withClient(this.pool, use),
    },
  ) {
    this.current = groups;
  }

  get groups(): LaneGroups {
    return this.current;
  }

  async append(appends: readonly LaneAppend[]): Promise<LaneEnd[]> {
    const [first] = appends;
    if (first === undefined) return [];
    const lanes = planAppend(appends, this.groups);
    const statement = appendStatement(lanes);
    let sent = false;
    try {
      const { rows } = await this.appends.lend(first.end.lane, (client) => {
        sent = true;
        return client.query<{ written: number[] }>(statement);
      });
      const written = new Set(rows[0]?.written);
      return lanes.filter(({ to }) => written.has(to.lane)).map(({ to }) => to);
    } catch (error) {
      if (isWorthAnotherTry(error)) return [];
      if (mayHaveMoved(error) && (await this.regroup(lanes))) return [];
      if (isDoubtfulInCluster(error) && (await this.isSpread())) throw uncertain(error);
      throw appendError(error, sent);
    }
  }

  async ends(lanes?: readonly number[]): Promise<LaneEnd[]> {
    return this.query<LaneEnd>(
      'event-log-ends',
      `select lane, position, encode(head, 'hex') as head from lane where $1::int2[] is null or lane = any ($1)
        order by lane`,
      [lanes ?? null],
    );
  }

  async read(lane: number, after: number, limit: number): Promise<StoredEvent[]> {
    const rows = await this.query<EventRow>(
      'event-log-read',
      `select ${EVENT_COLUMNS} from event e
        where e.lane = $1 and e.position > $2 order by e.position limit $3`,
      [lane, after, limit],
    );
    return rows.map(toStoredEvent);
  }

  async readAccount(
    accountId: string,
    afterVersion: number,
    limit: number,
  ): Promise<StoredEvent[]> {
    const rows = await this.query<EventRow>(
      'event-log-read-account',
      `select ${EVENT_COLUMNS} from event e
        where e.lane = $1 and e.account_id = $2 and e.account_version > $3
        order by e.account_version limit $4`,
      [laneOf(accountId), accountId, afterVersion, limit],
    );
    return rows.map(toStoredEvent);
  }

  async batches(lane: number, after: number, limit: number): Promise<StoredBatch[]> {
    return this.query<StoredBatch>(
      'event-log-batches',
      `select lane, last_position as "lastPosition", events, encode(hash, 'hex') as hash,
              (extract(epoch from committed_at) * 1000)::int8 as "committedAt" from batch
        where lane = $1 and last_position > $2 order by last_position limit $3`,
      [lane, after, limit],
    );
  }

  async findCalls(calls: readonly CallReference[]): Promise<StoredEvent[]> {
    if (calls.length === 0) return [];
    const rows = await this.reading((client) =>
      queryByLane<EventRow, CallReference>(
        client,
        calls,
        ({ lane }) => lane,
        (own) => ({
          name: 'event-log-find-calls',
          text: `select ${EVENT_COLUMNS} from unnest($1::int2[], $2::uuid[]) as wanted (lane, call_id)
                   join event e using (lane, call_id)`,
          values: [own.map(({ lane }) => lane), own.map(({ callId }) => callId)],
        }),
      ),
    );
    return rows.map(toStoredEvent);
  }

  /** Reads the groups again. True: these lanes are of several by now. */
  private async regroup(lanes: readonly PlannedLane[]): Promise<boolean> {
    const own = new Set(this.current.flat());
    const moved = await movedGroups(
      this.pool,
      lanes.map(({ to }) => to.lane),
    ).catch(() => null);
    if (moved === null) return false;
    const groups = moved.map((group) => group.filter((lane) => own.has(lane)));
    this.current = groups.filter((group) => group.length > 0);
    return true;
  }

  /** Where it cannot be found out, the worst is assumed. */
  private async isSpread(): Promise<boolean> {
    try {
      return (await readGroups(this.pool)).length > 1;
    } catch {
      return true;
    }
  }

  private async query<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.reading((client) => client.query<Row>({ name, text, values }));
    return rows;
  }

  private async reading<Result>(read: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await retryWhileShardsMove(() => withClient(this.pool, read));
    } catch (error) {
      if (!isTransient(error)) throw error;
      throw new LogUnavailableError('The log could not be read.', { cause: error });
    }
  }
}

function appendError(error: unknown, sent: boolean): Error {
  if (!sent) return new LogUnavailableError('The log could not be reached.', { cause: error });
  const fault = faultOf(error);
  if (fault === 'unique-violation') {
    const constraint = constraintOf(error);
    return new BadEventError(`An event exists already (${constraint}).`, { cause: error });
  }
  if (fault === 'data-error') {
    return new BadEventError('The store refuses an event.', { cause: error });
  }
  if (isRolledBack(error)) {
    return new LogUnavailableError('The append was rolled back.', { cause: error });
  }
  return uncertain(error);
}

function uncertain(cause: unknown): AppendUncertainError {
  return new AppendUncertainError('The connection was lost in an append.', { cause });
}

/**
 * A statement that ran out of disk or memory is rolled back like any other. The server may also run
 * out of them while it commits: it goes down then, and says so with another severity.
 */
function isRolledBack(error: unknown): boolean {
  const code = codeOf(error);
  if (!(error instanceof pg.DatabaseError) || code === undefined) return false;
  if (error.severity === 'ERROR') return true;
  return !code.startsWith('53') && !DOUBTFUL_STATES.test(code);
}

function isDoubtfulInCluster(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code === CANCELED || DOUBTFUL_STATES.test(code);
}
