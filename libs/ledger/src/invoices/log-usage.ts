import type pg from 'pg';
import type { UsageSum } from '#billing/month-facts.js';
import { laneOf } from '#event-log/event-log.js';
import type { ClosedMonth } from './closed-months.js';
import { queryByGroup } from '#event-log/query-by-group.js';

/** Versions whose calls one statement sums: a few milliseconds for a thousand. */
const SLICE = 50_000;
/** Statements that sum at the same time, each on a connection of its own. */
const AT_ONCE = 3;

interface Row extends UsageSum {
  readonly account_id: string;
}

interface Slice {
  readonly accountId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * The calls of closed months, at most one of each account, summed from the log itself by rule and
 * kind, by account. What is closed does not change: no snapshot is needed, and the many calls of
 * one account are summed in parts at the same time.
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
  const rows = await queryByGroup<Row, Slice>(
    pool,
    slices,
    ({ accountId }) => laneOf(accountId),
    (own, inGroup) => ({
      name: 'months-log',
      // Grouped by the text of the cost first: few texts are taken apart instead of one for each
      // call.
      text: `select wanted.account_id, s.rule, s.kind, s.calls, s.credits
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[])
                  as wanted (lane, account_id, first, last)
            cross join lateral (
              select c.rule, c.kind, sum(c.calls)::bigint as calls,
                     sum(c.calls * ((c.cost::json ->> 0)::bigint + (c.cost::json ->> 1)::bigint))
                       ::bigint as credits
                from (select r.rule, r.kind, r.cost, count(*) as calls
                        from event e
                       cross join lateral json_to_record(e.data)
                                          as r (rule text, kind text, cost text)
                       where e.lane = wanted.lane and ${inGroup('e')} and e.account_id = wanted.account_id
                         and e.account_version between wanted.first and wanted.last
                         and e.type = 'CallMade'
                       group by 1, 2, 3) c
               group by 1, 2) s`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ first }) => first),
        own.map(({ last }) => last),
      ],
    }),
  );
  return rows;
}

function added(rows: readonly Row[]): ReadonlyMap<string, readonly UsageSum[]> {
  const accounts = new Map<string, Map<string, UsageSum>>();
  for (const { account_id: accountId, ...row } of rows) {
    const sums = accounts.get(accountId) ?? new Map<string, UsageSum>();
    accounts.set(accountId, sums);
    const name = `${row.kind} ${row.rule}`;
    const known = sums.get(name);
    const calls = row.calls + (known?.calls ?? 0);
    sums.set(name, { ...row, calls, credits: row.credits + (known?.credits ?? 0) });
  }
  return new Map(Array.from(accounts, ([id, sums]) => [id, [...sums.values()]]));
}
