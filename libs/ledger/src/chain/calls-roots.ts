import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { headLeafHash, MerkleTree } from '#event-log/merkle.js';
import { queryByGroup } from '#event-log/query-by-group.js';
import { accountChain } from './account-chain.js';
import { callsRoot, type CallsRoot } from './calls-tree.js';

/** The versions of an account's events in a month that was closed. */
export interface MonthVersions {
  readonly accountId: string;
  readonly from: number;
  /** Of the last one before the close. */
  readonly to: number;
}

interface Row extends CallsRoot {
  readonly account_id: string;
  readonly version: number;
}

/**
 * The trees over the calls of closed months, in the order asked. The row of an account has that of
 * its last one; others are worked out from the log, which takes as long as there are calls.
 */
export async function readCallsRoots(
  pool: pg.Pool,
  months: readonly MonthVersions[],
): Promise<readonly CallsRoot[]> {
  const rows = await queryByGroup<Row, MonthVersions>(
    pool,
    months,
    ({ accountId }) => laneOf(accountId),
    (own, inGroup) => ({
      name: 'calls-roots',
      text: `select a.account_id, (c ->> 'version')::bigint as version,
                    (c ->> 'count')::bigint as count, c ->> 'root' as root
               from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
               join ledger_account a using (lane, account_id)
              cross join lateral (select a.calls_tree -> 'closed' as c) tree
              where ${inGroup('a')} and (a.calls_tree ->> 'version')::bigint = a.version
                and c is not null`,
      values: [own.map(({ accountId }) => laneOf(accountId)), own.map((one) => one.accountId)],
    }),
  );
  const kept = new Map(rows.map((row) => [`${row.account_id} ${row.version}`, row]));
  const roots: CallsRoot[] = [];
  for (const month of months) {
    const row = kept.get(`${month.accountId} ${month.to + 1}`);
    roots.push(row ? { count: row.count, root: row.root } : await rootInLog(pool, month));
  }
  return roots;
}

async function rootInLog(pool: pg.Pool, { accountId, from, to }: MonthVersions) {
  const tree = new MerkleTree();
  for await (const page of accountChain(pool, accountId, from, to)) {
    for (const { event, head } of page) {
      if (event.type === 'CallMade') tree.add(headLeafHash(head));
    }
  }
  return callsRoot(tree);
}
