import type pg from 'pg';
import type { LaneGroups } from './event-log.js';
import type { Wants } from './milestones.js';
import type { Projection } from './projection.js';
import { queryByGroup } from './query-by-group.js';

/** A lane with events that a projection has not seen. */
export interface LaneBacklog {
  readonly lane: number;
  /** Events between the checkpoint and the lane's end. */
  readonly behind: number;
}

/** Lanes in which a projection is behind (or, below 0, beyond their end), by number. */
export async function findBacklog(db: pg.Pool, projection: string): Promise<LaneBacklog[]> {
  const { rows } = await db.query<LaneBacklog>({
    name: 'projection-backlog',
    text: `select l.lane, l.position - c.position as behind
             from lane l join checkpoint c on c.lane = l.lane and c.projection = $1
            where l.position <> c.position order by l.lane`,
    values: [projection],
  });
  return rows;
}

/** Lanes in which a projection was behind. */
export interface Work {
  /** Lanes whose checkpoints were moved, because they held nothing wanted. */
  readonly passed: number;
  /** The other lanes in which it is behind. */
  readonly backlog: readonly LaneBacklog[];
}

/**
 * Moves the checkpoints of lanes that hold nothing wanted after them to the lanes' ends, and finds
 * the others, in one statement for a group: mostly there is nothing else to do.
 */
export async function findWork(
  db: pg.Pool,
  projection: Projection,
  groups: LaneGroups,
): Promise<Work> {
  const { wants } = projection;
  if (wants === undefined) return { passed: 0, backlog: await findBacklog(db, projection.name) };
  const found: (LaneBacklog & { readonly passed: boolean })[] = [];
  for (const lanes of await groupsBehind(db, projection, groups)) {
    found.push(...(await passOver(db, projection, wants, lanes)));
  }
  const backlog = found.filter(({ passed }) => !passed).toSorted((a, b) => a.lane - b.lane);
  return { passed: found.length - backlog.length, backlog };
}

/** Of several groups, those with work: to ask each of them would cost a statement each. */
async function groupsBehind(
  db: pg.Pool,
  { name }: Projection,
  groups: LaneGroups,
): Promise<LaneGroups> {
  if (groups.length === 1) return groups;
  const behind = new Set((await findBacklog(db, name)).map(({ lane }) => lane));
  return groups.filter((lanes) => lanes.some((lane) => behind.has(lane)));
}

async function passOver(
  db: pg.Pool,
  { name: projection, version }: Projection,
  wants: Wants,
  lanes: readonly number[],
): Promise<(LaneBacklog & { readonly passed: boolean })[]> {
  return queryByGroup<LaneBacklog & { readonly passed: boolean }>(
    db,
    lanes,
    (lane) => lane,
    (own, inGroup) => ({
      name: `projection-work-${wants.name}`,
      text: `with free as materialized (
             select c.lane, c.position as after, l.position as up_to
               from checkpoint c join lane l using (lane)
              where c.projection = $1 and c.version = $2 and c.position < l.position
                and c.lane = any ($3) and ${inGroup('c')} and ${inGroup('l')}
              order by c.lane for update of c skip locked
           ), passed as (
             update checkpoint c set position = f.up_to from free f
              where c.projection = $1 and c.lane = f.lane and c.lane = any ($3)
                and ${inGroup('c')} and not exists (
                    select from event e
                     where e.lane = f.lane and ${inGroup('e')} and e.position > f.after and e.position <= f.up_to
                       and ${wants.condition(inGroup)})
             returning c.lane
           )
           select l.lane, l.position - c.position as behind, p.lane is not null as passed
             from lane l join checkpoint c on c.lane = l.lane and c.projection = $1 and ${inGroup('c')}
             left join passed p on p.lane = l.lane
            where l.position <> c.position and l.lane = any ($3) and ${inGroup('l')} order by l.lane`,
      values: [projection, version, own],
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
