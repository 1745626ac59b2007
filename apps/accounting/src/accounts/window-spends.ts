import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { WINDOWS } from '#ledger/windows.projection.js';

export interface AccountWindow {
  readonly id: string;
  /** Label of the window. */
  readonly window: string;
}

// A call whose window is the one in its key leaves it out: see `windowOfCall`.

/** What accounts spent, each in its own window, in credits: rows, and the log's tail after them. */
export async function readWindowSpends(
  client: pg.ClientBase,
  accounts: readonly AccountWindow[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ id: string; credits: number }>({
    name: 'window-spends',
    text: `with wanted as (
             select * from unnest($1::smallint[], $2::uuid[], $3::text[]) as w (lane, account_id, label)
           ), tail as materialized (
             select e.lane, e.account_id, e.data
               from (select distinct lane from wanted) lanes
               left join checkpoint c on c.projection = '${WINDOWS}' and c.lane = lanes.lane
               join event e on e.lane = lanes.lane and e.position > coalesce(c.position, 0)
              where e.type = 'CallMade'
           )
           select account_id as id, sum(credits)::bigint as credits from (
             select w.account_id, k.credits_used as credits from wanted w
               join window_key k on k.lane = w.lane and k.account_id = w.account_id
                                and k.window_label = w.label
             union all
             select w.account_id,
                    (t.data -> 'cost' ->> 0)::bigint + (t.data -> 'cost' ->> 1)::bigint
               from wanted w join tail t using (lane, account_id)
              where coalesce(t.data ->> 'window', split_part(t.data ->> 'key', '/', 3)) = w.label) as spent
            group by account_id`,
    values: [
      accounts.map(({ id }) => laneOf(id)),
      accounts.map(({ id }) => id),
      accounts.map(({ window }) => window),
    ],
  });
  return new Map(rows.map(({ id, credits }) => [id, credits]));
}
