import type pg from 'pg';
import type { StoredEvent } from './event-log.js';
import { damagedAccounts, isDamaged } from './damaged-accounts.js';
import { checkDense, readRanges, type LaneRange } from './lane-ranges.js';
import type { LaneBacklog } from './projection-work.js';
import type { Projection, RowChanges } from './projection.js';
import { queryAnswering, queryAnsweringAtOnce } from './query-answering.js';
import { queryByLane } from './query-by-lane.js';

/** Thrown when the rows are of an older version, which this one cannot continue. */
export class OutdatedProjectionError extends Error {
  override readonly name = 'OutdatedProjectionError';
}

/**
 * Makes the checkpoints of a projection that is new, in the lanes that answer; false where some do
 * not. Throws OutdatedProjectionError when its rows need a rebuild, and an Error when a newer
 * version has made them.
 */
export async function registerProjection(
  pool: pg.Pool,
  { name, version }: Projection,
): Promise<boolean> {
  const { away } = await queryAnswering(pool, {
    text: `insert into checkpoint (projection, version, lane, position)
           select $1::text, $2::int, l.lane, 0 from lane l
               on conflict do nothing`,
    values: [name, version],
  });
  const { rows } = await queryAnsweringAtOnce<{ version: number }>(pool, {
    text: `select distinct version from checkpoint c where projection = $1`,
    values: [name],
  });
  const other = rows.find((row) => row.version !== version);
  if (other === undefined) return away.length === 0;
  const made = `The rows of projection ${name} are of version ${other.version}`;
  if (other.version < version) {
    throw new OutdatedProjectionError(`${made}: version ${version} needs a rebuild.`);
  }
  throw new Error(`${made}: a newer program has made them, this one knows version ${version}.`);
}

/**
 * Applies what is behind in these lanes of one group and moves their checkpoints, inside the
 * caller's transaction. Lanes whose checkpoint another transaction holds are left to it. Answers
 * how many events were applied.
 */
export async function applyBatch(
  client: pg.ClientBase,
  projection: Projection,
  lanes: readonly LaneBacklog[],
): Promise<number> {
  const ranges = await claim(client, projection, lanes);
  if (ranges.length === 0) return 0;
  if (projection.wants !== undefined) return applyWanted(client, projection, ranges, applySound);
  const events = await readRanges(client, ranges);
  checkDense(ranges, events);
  if (events.length === 0) return 0;
  await applySound(client, projection, events);
  const reached = new Map(events.map(({ lane, position }) => [lane, position]));
  await moveCheckpoints(client, projection.name, reached);
  return events.length;
}

/**
 * Writes what was collected of a range of a lane that was followed from its first event, and moves
 * the checkpoint. False, and nothing is written, when somebody else has moved it since: then rows
 * are there that these changes do not know.
 */
export async function applyCollected(
  client: pg.ClientBase,
  projection: Projection,
  { lane, after, upTo }: LaneRange,
  changes: RowChanges,
): Promise<boolean> {
  const [stored] = await claim(client, projection, [{ lane, behind: upTo - after }]);
  if (stored?.after !== after) return false;
  await changes.write(client);
  await moveCheckpoints(client, projection.name, new Map([[lane, upTo]]));
  return true;
}

type Apply = typeof applySound;

/** Applies events but for those of accounts that are damaged already. */
async function applySound(
  client: pg.ClientBase,
  projection: Projection,
  events: readonly StoredEvent[],
): Promise<void> {
  const damaged = await damagedAccounts(client, projection.name, events);
  const sound = damaged.size === 0 ? events : events.filter((event) => !isDamaged(damaged, event));
  if (sound.length > 0) await projection.apply(sound, client);
}

/**
 * As `applyBatch`, with another way to apply the events. A position that is missing is passed over:
 * the account that lacks its event shows by its versions.
 */
export async function applyBatchBy(
  client: pg.ClientBase,
  projection: Projection,
  lanes: readonly LaneBacklog[],
  apply: Apply,
): Promise<number> {
  return applyWanted(client, projection, await claim(client, projection, lanes), apply);
}

/** Hands over the events that are wanted alone; the count is of all passed over. */
async function applyWanted(
  client: pg.ClientBase,
  projection: Projection,
  claimed: readonly LaneRange[],
  apply: Apply,
): Promise<number> {
  const ranges = await withinLanes(client, claimed);
  if (ranges.length === 0) return 0;
  const events = await readRanges(client, ranges, projection.wants);
  if (events.length > 0) await apply(client, projection, events);
  const reached = new Map(ranges.map(({ lane, upTo }) => [lane, upTo]));
  await moveCheckpoints(client, projection.name, reached);
  return ranges.reduce((sum, { after, upTo }) => sum + upTo - after, 0);
}

/**
 * The ranges cut at the lanes' ends: another runner may have moved a checkpoint since the backlog
 * was counted, and no event that is not read may be passed before it is there.
 */
async function withinLanes(
  client: pg.ClientBase,
  ranges: readonly LaneRange[],
): Promise<LaneRange[]> {
  const { rows } = await client.query<{ lane: number; position: number }>({
    name: 'projection-ends',
    text: 'select lane, position from lane where lane = any ($1)',
    values: [ranges.map(({ lane }) => lane)],
  });
  const ends = new Map(rows.map(({ lane, position }) => [lane, position]));
  return ranges
    .map((range) => ({ ...range, upTo: Math.min(range.upTo, ends.get(range.lane) ?? 0) }))
    .filter(({ after, upTo }) => upTo > after);
}

/**
 * Locks the checkpoints that nobody else holds; they say where to read on. Rows of another version
 * are none of this program's, also when they became so a moment ago.
 */
async function claim(
  client: pg.ClientBase,
  { name, version }: Projection,
  lanes: readonly LaneBacklog[],
): Promise<LaneRange[]> {
  const rows = await queryByLane<{ lane: number; position: number }, LaneBacklog>(
    client,
    lanes,
    ({ lane }) => lane,
    (own) => ({
      name: 'projection-claim',
      text: `select lane, position from checkpoint c
              where projection = $1 and lane = any ($2) and version = $3
              order by lane for update skip locked`,
      values: [name, own.map(({ lane }) => lane), version],
    }),
  );
  const behind = new Map(lanes.map((backlog) => [backlog.lane, backlog.behind]));
  return rows.map(({ lane, position }) => ({
    lane,
    after: position,
    upTo: position + (behind.get(lane) ?? 0),
  }));
}

async function moveCheckpoints(
  client: pg.ClientBase,
  projection: string,
  reached: ReadonlyMap<number, number>,
): Promise<void> {
  const moved = await queryByLane<{ lane: number }, [lane: number, position: number]>(
    client,
    [...reached],
    ([lane]) => lane,
    (own) => ({
      name: 'projection-move',
      text: `update checkpoint c set position = m.position
               from unnest($2::int2[], $3::int8[]) as m (lane, position)
              where c.projection = $1 and c.lane = m.lane returning c.lane`,
      values: [projection, own.map(([lane]) => lane), own.map(([, position]) => position)],
    }),
  );
  if (moved.length !== reached.size)
    throw new Error(`A checkpoint of projection ${projection} is gone.`);
}
