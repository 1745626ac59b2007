import type pg from 'pg';
import type { Invoice } from '#billing/invoice.js';
import { headLeafHash, MerkleTree } from '#event-log/merkle.js';
import { accountChain } from '../chain/account-chain.js';
import { findCall } from '../events/find-call.js';
import type { CallInclusion } from '../views/invoice-reads.js';

/**
 * The audit path of a call in the tree of its month's invoice, from the log: it takes as long as
 * there are calls in the month. Null: the invoice names no tree. Undefined: the call is none of its
 * calls.
 */
export async function readInclusion(
  pool: pg.Pool,
  { number, account_id: accountId, account_version: { from, to }, calls_tree: stated }: Invoice,
  callId: string,
): Promise<CallInclusion | null | undefined> {
  if (stated === undefined) return null;
  const call = await findCall(pool, accountId, callId);
  if (call === undefined || call.accountVersion < from || call.accountVersion > to) {
    return undefined;
  }
  const tree = new MerkleTree();
  let [leafIndex, accountHead] = [0, ''];
  for await (const page of accountChain(pool, accountId, from, to)) {
    for (const { event, head } of page) {
      if (event.type !== 'CallMade') continue;
      if (event.accountVersion === call.accountVersion) {
        [leafIndex, accountHead] = [tree.mark(), head];
      }
      tree.add(headLeafHash(head));
    }
  }
  const { root, path } = tree.end();
  if (root !== stated.root) {
    throw new Error(`The calls of ${number} lead to ${root}, it names ${stated.root}.`);
  }
  return {
    invoice_number: number,
    call_id: callId,
    account_head: accountHead,
    leaf_index: leafIndex,
    count: tree.count,
    path,
    root,
  };
}
