import { hashEvent } from './hash-chain.js';
import { laneOf, type LaneEnd, type StoredEvent } from './event-log.js';
import { FIRST_HEAD, hashBatch } from './hash-chain.js';

/** Where an account's own chain stands: its last version and the hash after it. */
export interface AccountHead {
  readonly version: number;
  readonly head: string;
}

/** The head of a lane's chain over the events since the batch before. */
export interface ChainedBatch {
  readonly lastPosition: number;
  readonly events: number;
  readonly hash: string;
}

/** Something in a lane that does not fit to what comes before it. */
export interface ChainFault {
  readonly of:
    | 'position'
    | 'account-lane'
    | 'account-version'
    | 'batch-end'
    | 'batch-events'
    | 'batch-hash'
    | 'open-events'
    | 'lane-position'
    | 'lane-head';
  /** Where: the event that is missing or wrong, or the last one of the batch or of the lane. */
  readonly position: number;
  readonly expected: number | string;
  readonly found: number | string;
  /** The same for a person, as what is said of its line. */
  readonly text: string;
}

/**
 * Recomputes both chains of a lane, event after event, and reports faults. A listener that does not
 * throw gets every fault: the chains go on from what is stored. Holds one head for each account.
 */
export class LaneChains {
  /** Of the last event. */
  position = 0;
  /** Up to where batches have closed the lane's chain. */
  closed = 0;
  batches = 0;
  private head = FIRST_HEAD;
  /** Hashes of the events that no batch has closed yet. */
  private open: string[] = [];
  private readonly heads = new Map<string, { version: number; head: string }>();

  constructor(
    readonly lane: number,
    private readonly onFault: (fault: ChainFault) => void,
  ) {}

  get accounts(): ReadonlyMap<string, AccountHead> {
    return this.heads;
  }

  /** Takes the next event. Answers its account's head after it. */
  event(event: Omit<StoredEvent, 'lane'>): string {
    const { accountId, accountVersion: version, position } = event;
    const next = this.position + 1;
    this.position = next;
    if (position !== next) {
      this.report('position', next, position, `holds position ${position} instead of ${next}`);
    }
    this.position = position;
    const lane = laneOf(accountId);
    if (lane !== this.lane) {
      const text = `account ${accountId} does not belong to lane ${this.lane}`;
      this.report('account-lane', this.lane, lane, text);
    }
    const account = this.account(accountId);
    const after = account.version + 1;
    if (version !== after) {
      const text = `holds version ${version} of its account instead of ${after}`;
      this.report('account-version', after, version, text);
    }
    account.version = version;
    account.head = hashEvent(account.head, event);
    this.open.push(account.head);
    return account.head;
  }

  /** Takes the batch that ends with the last event. */
  batch({ lastPosition, events, hash }: ChainedBatch): void {
    const { position, closed, open } = this;
    if (lastPosition !== position) {
      this.report('batch-end', position, lastPosition, `no batch ends at position ${position}`);
    }
    if (events !== open.length) {
      const text = `closes a batch of ${events} events, but ${open.length} are open`;
      this.report('batch-events', open.length, events, text);
    }
    const head = hashBatch(this.head, open);
    if (hash !== head) {
      const text = `the events from ${closed + 1} to ${position} were changed`;
      this.report('batch-hash', head, hash, text);
    }
    this.head = hash;
    this.open = [];
    this.closed = position;
    this.batches += 1;
  }

  /** Compares with where the lane says that it ends, after the last event. */
  end({ position, head }: Pick<LaneEnd, 'position' | 'head'>): void {
    if (position !== this.position) {
      const text = `is the last line, but the lane stands at ${position}`;
      this.report('lane-position', this.position, position, text);
    }
    if (this.open.length > 0) {
      const text = 'is the last line, but its batch is not closed';
      this.report('open-events', 0, this.open.length, text);
    }
    if (head !== this.head) {
      this.report('lane-head', this.head, head, "the lane's head is another one");
    }
  }

  private report(
    of: ChainFault['of'],
    expected: number | string,
    found: number | string,
    text: string,
  ): void {
    this.onFault({ of, position: this.position, expected, found, text });
  }

  private account(id: string): { version: number; head: string } {
    const known = this.heads.get(id);
    if (known !== undefined) return known;
    const fresh = { version: 0, head: FIRST_HEAD };
    this.heads.set(id, fresh);
    return fresh;
  }
}
