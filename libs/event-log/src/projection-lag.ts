import type pg from 'pg';
import { queryAllLanes } from './query-by-lane.js';

export interface ProjectionLag {
  readonly name: string;
  /** Events of all lanes that its rows do not hold. */
  readonly events: number;
  /** Age of the oldest of them; 0 when there is none. */
  readonly seconds: number;
}

/** How far each of these projections is behind the log, whichever process keeps it up. */
export async function projectionLags(
  db: pg.Pool,
  names: readonly string[],
): Promise<ProjectionLag[]> {
  const rows = await queryAllLanes<ProjectionLag>(db, {
    name: 'projection-lags',
    text: `select p.name, sum(l.position - coalesce(c.position, 0))::int8 as events,
                  coalesce(greatest(max(extract(epoch from clock_timestamp() - b.committed_at)), 0), 0)
                    ::float8 as seconds
             from unnest($1::text[]) as p (name) cross join lane l
             left join checkpoint c on c.projection = p.name and c.lane = l.lane
             left join lateral (
               select committed_at from batch b
                where b.lane = l.lane and b.last_position > coalesce(c.position, 0)
                  and l.position > coalesce(c.position, 0)
                order by b.last_position limit 1) b on true
            group by p.name order by p.name`,
    values: [names],
  });
  return names.toSorted().flatMap((name) => {
    const own = rows.filter((row) => row.name === name);
    const events = own.reduce((sum, row) => sum + row.events, 0);
    return own.length === 0
      ? []
      : [{ name, events, seconds: Math.max(...own.map((row) => row.seconds)) }];
  });
}
