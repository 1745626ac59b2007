import { hash } from 'node:crypto';
import { HASH_BYTES } from './hash-chain.js';

// Hashes come and go as 64 hex digits, as heads do.

/** The root of a tree without leaves: the hash of nothing. */
const EMPTY_ROOT = hash('sha256', Buffer.alloc(0), 'hex');

/** As many leaves as a tree has so far, and its complete subtrees, the largest first. */
export interface Frontier {
  readonly count: number;
  readonly subtrees: readonly string[];
}

// Hashing is synchronous, so one buffer of each kind serves the whole process.
const headLeaf = Buffer.alloc(1 + HASH_BYTES);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** The hash of a leaf (RFC 6962, 2.1). `data`: any bytes. */
export function leafHash(data: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.of(0), data]), 'hex');
}

/** The hash of a leaf that is the 32 bytes of a head. */
export function headLeafHash(head: string): string {
  headLeaf.write(head, 1, HASH_BYTES, 'hex');
  return hash('sha256', headLeaf, 'hex');
}

/** The hash of two subtrees that stand side by side. */
function nodeHash(left: string, right: string): string {
  node.write(left, 1, HASH_BYTES, 'hex');
  node.write(right, 1 + HASH_BYTES, HASH_BYTES, 'hex');
  return hash('sha256', node, 'hex');
}

/**
 * The Merkle tree of RFC 6962 over leaves that come one after the other. It keeps one hash for each
 * complete subtree, so its memory grows with the logarithm of the leaves. From a leaf that is
 * marked it keeps the hashes that lead to the root too.
 */
export class MerkleTree {
  /** The largest first. */
  private readonly subtrees: string[];
  private readonly path: string[] = [];
  private leaves: number;
  private marked: number | null = null;

  /** Goes on from a frontier; absent: from no leaf. */
  constructor(frontier?: Frontier) {
    this.leaves = frontier?.count ?? 0;
    this.subtrees = [...(frontier?.subtrees ?? [])];
  }

  get count(): number {
    return this.leaves;
  }

  get frontier(): Frontier {
    return { count: this.leaves, subtrees: this.subtrees };
  }

  /** Marks the leaf that is added next; its index. */
  mark(): number {
    this.marked = this.leaves;
    return this.marked;
  }

  /** Adds the hash of the next leaf. */
  add(leaf: string): void {
    this.leaves += 1;
    let [tree, size] = [leaf, 1];
    for (let rest = this.leaves; rest % 2 === 0; rest /= 2) {
      tree = this.joined(this.subtrees.pop() ?? '', tree, size, size, this.path);
      size *= 2;
    }
    this.subtrees.push(tree);
  }

  /** The root, and the audit path of the marked leaf, from the leaf up. More may be added. */
  end(): { readonly root: string; readonly path: readonly string[] } {
    const path = [...this.path];
    let [root, size, rest, left] = ['', 0, this.leaves, 1];
    for (const tree of this.subtrees.toReversed()) {
      for (; rest % 2 === 0; rest /= 2) left *= 2;
      root = size === 0 ? tree : this.joined(tree, root, left, size, path);
      size += left;
      rest -= 1;
    }
    return { root: size === 0 ? EMPTY_ROOT : root, path };
  }

  /** Sizes are in leaves; the right one ends with the last leaf. */
  private joined(
    left: string,
    right: string,
    leftSize: number,
    rightSize: number,
    path: string[],
  ): string {
    const { marked } = this;
    const middle = this.leaves - rightSize;
    if (marked !== null && marked >= middle - leftSize) path.push(marked < middle ? right : left);
    return nodeHash(left, right);
  }
}
