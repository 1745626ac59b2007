import { MerkleTree, headLeafHash } from '#event-log/merkle.js';
import type { StoredEvent } from '#event-log/event-log.js';

/** The Merkle tree over the calls of a month: how many they are, and its root (64 hex digits). */
export interface CallsRoot {
  readonly count: number;
  readonly root: string;
}

/** Of the month that was closed last, with the version of its close. */
interface ClosedCalls extends CallsRoot {
  readonly version: number;
}

interface Stored {
  /** Of the account: at another one the row was written by a program that knows no trees. */
  readonly version: number;
  readonly count: number;
  /** One after the other. */
  readonly subtrees: string;
  readonly closed?: ClosedCalls | undefined;
}

const DIGITS = /.{64}/g;

/**
 * The tree over the calls of an account's running month (RFC 6962): its leaves are the heads of the
 * account's chain after each call. It is unknown until the next close where nobody has counted on.
 */
export class CallsTree {
  private constructor(
    private tree: MerkleTree | undefined,
    private closed: ClosedCalls | undefined,
  ) {}

  /** Of an account before its first event. */
  static empty(): CallsTree {
    return new CallsTree(new MerkleTree(), undefined);
  }

  /** As its row says. `version`: of the account. */
  static of(text: string | null, version: number): CallsTree {
    const stored = text === null ? undefined : (JSON.parse(text) as Stored);
    if (stored?.version !== version) return new CallsTree(undefined, undefined);
    const subtrees = stored.subtrees.match(DIGITS) ?? [];
    return new CallsTree(new MerkleTree({ count: stored.count, subtrees }), stored.closed);
  }

  /** Takes the next event of the account. `head`: of its chain after the event. */
  add({ type, accountVersion: version }: StoredEvent, head: string): void {
    if (type === 'CallMade') this.tree?.add(headLeafHash(head));
    if (type !== 'MonthClosed') return;
    this.closed = this.tree && { version, ...callsRoot(this.tree) };
    this.tree = new MerkleTree();
  }

  /** The JSON of its row. `version`: of the account. */
  text(version: number): string | null {
    if (this.tree === undefined) return null;
    const { count, subtrees } = this.tree.frontier;
    const stored: Stored = { version, count, subtrees: subtrees.join(''), closed: this.closed };
    return JSON.stringify(stored);
  }
}

/** Count and root of a tree so far. */
export function callsRoot(tree: MerkleTree): CallsRoot {
  return { count: tree.count, root: tree.end().root };
}
