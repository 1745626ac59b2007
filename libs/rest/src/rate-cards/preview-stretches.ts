import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

/** Which calls are looked at: made from `from` on and before `to`, in ms since 1970. */
export interface PreviewScope {
  readonly from: number;
  readonly to: number;
  /** One account, or all of them. */
  readonly accountId: string | null;
  /** Whether accounts with a test clock matter, whose calls lie anywhere in the log. */
  readonly test: boolean;
}

/** A part of the log whose events are numbered without a gap: after one number, up to another. */
export interface Stretch {
  readonly lane: number;
  /** Of one account, numbered by its versions; null: of a lane, numbered by position. */
  readonly accountId: string | null;
  readonly after: number;
  readonly last: number;
}

/** An event of an account in real time: its position and moment. */
export interface Sample {
  readonly lane: number;
  readonly position: number;
  readonly at: number;
}

const SAMPLE_STEP = 4_000;
/**
 * Events of a lane that live in real time stand in the order of their moments, but for those around
 * a clock that was put right.
 */
const DISORDER_MS_MAX = 86_400_000;

/** The parts of the log that hold all calls of a scope; they may hold others too. */
export async function stretchesOf(pool: pg.Pool, scope: PreviewScope): Promise<Stretch[]> {
  const { accountId, test, from, to } = scope;
  if (accountId !== null) return [await stretchOfAccount(pool, accountId, from, to)];
  const { rows: lanes } = await pool.query<{ lane: number; position: number }>(
    'select lane, position from lane where lane > 0',
  );
  const samples = test ? [] : await readSamples(pool);
  return lanes.map(({ lane, position }) => {
    const whole = { lane, accountId: null, after: 0, last: position };
    const own = samples.filter((sample) => sample.lane === lane);
    return narrowed(whole, own, from, to);
  });
}

/** The part of a lane that lies between two moments, as far as samples in its order show. */
export function narrowed(
  whole: Stretch,
  samples: readonly Omit<Sample, 'lane'>[],
  from: number,
  to: number,
): Stretch {
  const first = samples.findIndex(({ at }) => at >= from - DISORDER_MS_MAX);
  const before = first < 0 ? samples.at(-1) : samples[first - 1];
  const end = samples.findLastIndex(({ at }) => at < to + DISORDER_MS_MAX);
  const beyond = samples[end + 1];
  return {
    ...whole,
    after: before?.position ?? whole.after,
    last: beyond?.position ?? whole.last,
  };
}

/**
 * One event of each few thousand. The index finds positions only, not moments. Only accounts of
 * which the ledger knows that they live in real time: a test clock says nothing about its
 * neighbours.
 */
async function readSamples(pool: pg.Pool): Promise<readonly Sample[]> {
  return queryAllLanes<Sample>(pool, {
    text: `select e.lane, e.position, (extract(epoch from e.at) * 1000)::float8 as at
       from lane
      cross join lateral generate_series($1::bigint, lane.position, $1) as sample (position)
       join event e on e.lane = lane.lane and e.position = sample.position
       join ledger_account a on a.lane = e.lane and a.account_id = e.account_id
      where lane.lane > 0 and a.state ->> 'testClock' is null
      order by e.lane, e.position`,
    values: [SAMPLE_STEP],
  });
}

/** An account's events never run backwards in time, so the bounds are found by halving. */
async function stretchOfAccount(
  pool: pg.Pool,
  accountId: string,
  from: number,
  to: number,
): Promise<Stretch> {
  const lane = laneOf(accountId);
  const { rows } = await pool.query<{ version: number | null }>(
    'select max(account_version) as version from event where lane = $1 and account_id = $2',
    [lane, accountId],
  );
  const versions = rows[0]?.version ?? 0;
  const before = async (moment: number): Promise<number> => {
    let [low, high] = [0, versions];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await momentOfVersion(pool, accountId, middle)) < moment) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { lane, accountId, after: await before(from), last: await before(to) };
}

/** Ms since 1970. */
async function momentOfVersion(pool: pg.Pool, accountId: string, version: number): Promise<number> {
  const { rows } = await pool.query<{ at: number }>({
    name: 'preview-moment',
    text: `select (extract(epoch from at) * 1000)::float8 as at from event
            where lane = $1 and account_id = $2 and account_version = $3`,
    values: [laneOf(accountId), accountId, version],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`Account ${accountId} has no event ${version}.`);
  return row.at;
}
