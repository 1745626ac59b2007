import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { UsageSum } from '#invoice-rules/month-facts.js';
import { laneOf } from '#event-log/event-log.js';
import type { ClosedMonth } from './closed-months.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Versions whose calls one statement sums: a few milliseconds for a thousand. */
const SLICE = 50_000;
/** Statements that sum at the same time, each on a connection of its own. */
const AT_ONCE = 3;

/** Calls of an account with the same members from `kind` to `rule`, as the log writes them. */
interface Row {
  readonly account_id: string;
  readonly price: string;
  readonly calls: number;
}

interface Slice {
  readonly accountId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * The calls of closed months, at most one of each account, summed from the log itself by rule and
 * kind, by account. What is closed does not change: no snapshot is needed, and the many calls of
 * one account are summed in parts at the same time. An account with a call that cannot be read is
 * left out, and so differs from what it is held against.
 */
export async function readLogUsage(
  pool: pg.Pool,
  months: readonly ClosedMonth[],
  slice = SLICE,
): Promise<ReadonlyMap<string, readonly UsageSum[]>> {
  const statements = statementsOf(months, slice).values();
  const rows: Row[] = [];
  const sumAll = async (): Promise<void> => {
    for (const slices of statements) rows.push(...(await sum(pool, slices)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sumAll));
  return added(rows);
}

/** Slices of about so many versions together. */
function statementsOf(
  months: readonly ClosedMonth[],
  slice: number,
): readonly (readonly Slice[])[] {
  const statements: Slice[][] = [];
  let room = 0;
  for (const { accountId, firstVersion, closeVersion } of months) {
    for (let first = firstVersion; first <= closeVersion; first += slice) {
      const last = Math.min(first + slice - 1, closeVersion);
      if (room <= 0) {
        statements.push([]);
        room = slice;
      }
      statements.at(-1)?.push({ accountId, first, last });
      room -= last - first + 1;
    }
  }
  return statements;
}

async function sum(pool: pg.Pool, slices: readonly Slice[]): Promise<readonly Row[]> {
  return queryByLane<Row, Slice>(
    pool,
    slices,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'months-log',
      // To read each call as JSON takes five times as long, and as text twice.
      text: `select wanted.account_id, convert_from(s.price, 'UTF8') as price, s.calls
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[])
                  as wanted (lane, account_id, first, last)
            cross join lateral (
              select case when substr(data, 1, 12) = '{"api_key":"'::bytea then data
                          else substr(priced, 1, greatest(position(',"draws":'::bytea in priced), 1) - 1)
                     end as price,
                     count(*) as calls
                from (select data, substr(data, position('"kind":'::bytea in data) + 7) as priced
                        from (select json_send(data) as data from event e
                               where e.lane = wanted.lane
                                 and e.account_id = wanted.account_id
                                 and e.account_version between wanted.first and wanted.last
                                 and e.type = 'CallMade' offset 0) call offset 0) call
               group by 1) s`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ first }) => first),
        own.map(({ last }) => last),
      ],
    }),
  );
}

function added(rows: readonly Row[]): ReadonlyMap<string, readonly UsageSum[]> {
  const accounts = new Map<string, Map<string, UsageSum>>();
  const unread = new Set<string>();
  for (const { account_id: accountId, price, calls } of rows) {
    const priced = readPrice(price);
    if (priced === undefined) {
      unread.add(accountId);
      continue;
    }
    const { rule, kind, credits } = priced;
    const sums = accounts.get(accountId) ?? new Map<string, UsageSum>();
    accounts.set(accountId, sums);
    const name = `${kind} ${rule}`;
    const known = sums.get(name) ?? { rule, kind, calls: 0, credits: 0 };
    const added = { calls: known.calls + calls, credits: known.credits + calls * credits };
    sums.set(name, { rule, kind, ...added });
  }
  const read = [...accounts].filter(([accountId]) => !unread.has(accountId));
  return new Map(read.map(([accountId, sums]) => [accountId, [...sums.values()]]));
}

/** Undefined: the members of the call stand in another order. */
function readPrice(
  price: string,
): (Pick<UsageSum, 'rule' | 'kind'> & { credits: number }) | undefined {
  try {
    const { kind, cost, rule } = JSON.parse(`{"kind":${price}}`) as Partial<CallMade>;
    if (kind === undefined || cost === undefined || rule === undefined) return undefined;
    return { rule, kind, credits: cost[0] + cost[1] };
  } catch {
    return undefined;
  }
}
