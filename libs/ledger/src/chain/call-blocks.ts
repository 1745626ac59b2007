import type pg from 'pg';
import { headLeafHash, MerkleTree } from '#event-log/merkle.js';
import { accountChain } from './account-chain.js';
import type { CallsRoot } from './calls-tree.js';
import type { MonthVersions } from './calls-roots.js';

/** A power of two, so that each block but the last is a complete subtree (RFC 6962). */
const BLOCK_CALLS = 4_096;

/** Calls of a month that follow each other, as a subtree of its tree. */
export interface CallBlock {
  /** Version of the first of them. */
  readonly from: number;
  readonly root: string;
}

/** A leaf of a tree, with the hashes beside its way to the root, from the leaf up. */
export interface LeafPath {
  /** Of the account's chain after the call. */
  readonly head: string;
  readonly index: number;
  readonly path: readonly string[];
}

/** The blocks of a month, from the log: it takes as long as there are calls. */
export async function readBlocks(
  pool: pg.Pool,
  { accountId, from, to }: MonthVersions,
  blockCalls = BLOCK_CALLS,
): Promise<CallsRoot & { readonly blocks: readonly CallBlock[] }> {
  const blocks: CallBlock[] = [];
  let [count, first, block] = [0, from, new MerkleTree()];
  const close = (): void => {
    if (block.count > 0) blocks.push({ from: first, root: block.end().root });
    count += block.count;
    block = new MerkleTree();
  };
  for await (const page of accountChain(pool, accountId, from, to)) {
    for (const { event, head } of page) {
      if (event.type !== 'CallMade') continue;
      if (block.count === 0) first = event.accountVersion;
      block.add(headLeafHash(head));
      if (block.count === blockCalls) close();
    }
  }
  close();
  return { count, root: treeOf(blocks).end().root, blocks };
}

/**
 * The path of the call at a version, from the events of its block alone. Undefined: there is no
 * call. Throws where the log no longer leads to the block.
 */
export async function readLeafPath(
  pool: pg.Pool,
  { accountId, to }: MonthVersions,
  version: number,
  blocks: readonly CallBlock[],
  blockCalls = BLOCK_CALLS,
): Promise<LeafPath | undefined> {
  const place = blocks.findLastIndex(({ from }) => from <= version);
  const block = blocks[place];
  if (block === undefined) return undefined;
  const last = (blocks[place + 1]?.from ?? to + 1) - 1;
  const tree = new MerkleTree();
  let marked: { readonly index: number; readonly head: string } | undefined;
  for await (const page of accountChain(pool, accountId, block.from, last)) {
    for (const { event, head } of page) {
      if (event.type !== 'CallMade') continue;
      if (event.accountVersion === version) marked = { index: tree.mark(), head };
      tree.add(headLeafHash(head));
    }
  }
  const { root, path } = tree.end();
  if (root !== block.root) throw new Error(`Calls from ${block.from} on lead to ${root}.`);
  if (marked === undefined) return undefined;
  const above = treeOf(blocks, place).end().path;
  return { ...marked, index: place * blockCalls + marked.index, path: [...path, ...above] };
}

/** The tree above the blocks. */
function treeOf(blocks: readonly CallBlock[], marked?: number): MerkleTree {
  const tree = new MerkleTree();
  for (const [place, { root }] of blocks.entries()) {
    if (place === marked) tree.mark();
    tree.add(root);
  }
  return tree;
}
