import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import { momentOfMs } from '#database/moment-of.js';
import type { Summary } from './summary.schemas.js';

const DAY_MS = 86_400_000;

type Refusals = Summary['refusals'];

/** Refused calls of the last day. `now`: ms since 1970. */
export async function readRefusals(pool: pg.Pool, now: number): Promise<Refusals> {
  const since = now - DAY_MS;
  const { rows } = await pool.query<Refusals['reasons'][number] & { readonly all: number }>({
    name: 'summary-refusals',
    text: `with newest as (
             select account_id, code, times from refused_call
              where last_at >= ${momentOfMs('$1')})
           select code, sum(times)::bigint as calls, count(distinct account_id) as accounts,
                  (select count(distinct account_id) from newest) as all
             from newest group by code order by calls desc, code`,
    values: [since],
  });
  return {
    since: formatMoment(since),
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    accounts: rows[0]?.all ?? 0,
    reasons: rows.map(({ all: _all, ...reason }) => reason),
  };
}
