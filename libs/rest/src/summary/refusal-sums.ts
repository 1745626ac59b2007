import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import { momentOfMs } from '#database/moment-of.js';
import type { Summary } from './summary.schemas.js';

const DAY_MS = 86_400_000;

type Refusals = Summary['refusals'];
type Code = Refusals['reasons'][number]['code'];

interface Row {
  readonly account_id: string;
  readonly code: Code;
  readonly calls: number;
}

/** Refused calls of the last day, but for those of some accounts. `now`: ms since 1970. */
export async function readRefusals(
  client: pg.ClientBase,
  now: number,
  without: readonly string[],
): Promise<Refusals> {
  const since = now - DAY_MS;
  const { rows } = await client.query<Row>({
    name: 'summary-refusals',
    text: `select account_id, code, sum(times)::bigint as calls
             from refused_call
            where last_at >= ${momentOfMs('$1')}
            group by account_id, code`,
    values: [since],
  });
  const left = new Set(without);
  const counted = rows.filter(({ account_id: id }) => !left.has(id));
  const callsOf = (some: readonly Row[]): number => some.reduce((sum, { calls }) => sum + calls, 0);
  const reasons = [...new Set(counted.map(({ code }) => code))].map((code) => {
    const own = counted.filter((row) => row.code === code);
    return { code, calls: callsOf(own), accounts: own.length };
  });
  return {
    since: formatMoment(since),
    calls: callsOf(counted),
    accounts: new Set(counted.map(({ account_id: id }) => id)).size,
    reasons: reasons.toSorted((a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1)),
  };
}
