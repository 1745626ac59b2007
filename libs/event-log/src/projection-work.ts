import type pg from 'pg';
import type { LaneGroups } from './event-log.js';
import type { Wants } from './milestones.js';
import type { Projection } from './projection.js';
import { queryAnsweringAtOnce } from './query-answering.js';
import { queryByLane } from './query-by-lane.js';

/** A lane with events that a projection has not seen. */
export interface LaneBacklog {
  readonly lane: number;
  /** Events between the checkpoint and the lane's end. */
  readonly behind: number;
}

/**
 * Lanes in which a projection is behind (or, below 0, beyond their end), by number; of those that
 * answer.
 */
export async function findBacklog(db: pg.Pool, projection: string): Promise<LaneBacklog[]> {
  const { rows } = await queryAnsweringAtOnce<LaneBacklog>(db, {
    name: 'projection-backlog',
    text: `select l.lane, l.position - c.position as behind
             from lane l join checkpoint c on c.lane = l.lane and c.projection = $1
            where l.position <> c.position order by l.lane`,
    values: [projection],
  });
  return rows.toSorted((a, b) => a.lane - b.lane);
}

/** Lanes in which a projection was behind. */
export interface Work {
  /** Lanes whose checkpoints were moved, because they held nothing wanted. */
  readonly skipped: number;
  /** The other lanes in which it is behind. */
  readonly backlog: readonly LaneBacklog[];
}

/**
 * Moves the checkpoints of lanes that hold nothing wanted after them to the lanes' ends, and finds
 * the others, in one statement for a group: mostly there is nothing else to do. The projections
 * want the same events; one that wants all of them is asked for alone. Answers by their names.
 */
export async function findWork(
  db: pg.Pool,
  projections: readonly [Projection, ...Projection[]],
  groups: LaneGroups,
): Promise<ReadonlyMap<string, Work>> {
  const [{ name: first, wants }] = projections;
  const work = new Map<string, { skipped: number; readonly backlog: LaneBacklog[] }>();
  for (const { name } of projections) work.set(name, { skipped: 0, backlog: [] });
  if (wants === undefined) {
    work.get(first)?.backlog.push(...(await findBacklog(db, first)));
    return work;
  }
  for (const lanes of await groupsBehind(db, projections, groups)) {
    for (const { projection, skipped, lane, behind } of await skipIdleLanes(
      db,
      projections,
      wants,
      lanes,
    )) {
      const own = work.get(projection);
      if (own === undefined) continue;
      if (skipped) own.skipped += 1;
      else own.backlog.push({ lane, behind });
    }
  }
  for (const { backlog } of work.values()) backlog.sort((a, b) => a.lane - b.lane);
  return work;
}

/**
 * Of several groups, those with work, looked for in all of them at once: to ask each of them would
 * cost a statement each.
 */
async function groupsBehind(
  db: pg.Pool,
  projections: readonly Projection[],
  groups: LaneGroups,
): Promise<LaneGroups> {
  if (groups.length === 1) return groups;
  const { rows } = await queryAnsweringAtOnce<{ lane: number }>(db, {
    name: 'lanes-behind',
    text: `select distinct l.lane
             from lane l join checkpoint c on c.lane = l.lane and c.projection = any ($1)
            where l.position <> c.position`,
    values: [projections.map(({ name }) => name)],
  });
  const behind = new Set(rows.map(({ lane }) => lane));
  return groups.filter((lanes) => lanes.some((lane) => behind.has(lane)));
}

interface LaneWork extends LaneBacklog {
  readonly projection: string;
  readonly skipped: boolean;
}

async function skipIdleLanes(
  db: pg.Pool,
  projections: readonly Projection[],
  wants: Wants,
  lanes: readonly number[],
): Promise<LaneWork[]> {
  const names = projections.map(({ name }) => name);
  const versions = projections.map(({ version }) => version);
  return queryByLane<LaneWork>(
    db,
    lanes,
    (lane) => lane,
    (own) => ({
      name: `projection-work-${wants.name}`,
      text: `with free as materialized (
             select c.projection, c.lane, c.position as after, l.position as up_to
               from checkpoint c join lane l using (lane)
              where c.projection = any ($1)
                and c.version = ($2::int4[])[array_position($1::text[], c.projection)]
                and c.position < l.position
                and c.lane = any ($3)
              order by c.projection, c.lane for update of c skip locked
           ), skipped as (
             update checkpoint c set position = f.up_to from free f
              where c.projection = f.projection and c.lane = f.lane
                and c.projection = any ($1) and c.lane = any ($3)
                and not exists (
                    select from event e
                     where e.lane = f.lane and e.position > f.after and e.position <= f.up_to
                       and ${wants.condition})
             returning c.projection, c.lane
           )
           select c.projection, l.lane, l.position - c.position as behind, p.lane is not null as skipped
             from lane l
             join checkpoint c on c.lane = l.lane and c.projection = any ($1)
             left join skipped p on p.lane = c.lane and p.projection = c.projection
            where l.position <> c.position and l.lane = any ($3)`,
      values: [names, versions, own],
    }),
  );
}

/**
 * The lanes for one transaction, all of one group: in turn from the one after `lastLane`, until
 * they hold `eventsMax` events. Taking turns lets no lane starve beside a long backlog, and leaves
 * lanes to other runners.
 */
export function pickLanes(
  backlog: readonly LaneBacklog[],
  lastLane: number,
  eventsMax: number,
  groups: LaneGroups,
): LaneBacklog[] {
  const next = backlog.findIndex(({ lane }) => lane > lastLane);
  const turns = next < 0 ? backlog : [...backlog.slice(next), ...backlog.slice(0, next)];
  const group = groups.find((lanes) => lanes.includes(turns[0]?.lane ?? -1)) ?? [];
  const picked: LaneBacklog[] = [];
  let left = eventsMax;
  for (const { lane, behind } of turns.filter((each) => group.includes(each.lane))) {
    if (left <= 0) break;
    const take = Math.min(behind, left);
    picked.push({ lane, behind: take });
    left -= take;
  }
  return picked;
}
