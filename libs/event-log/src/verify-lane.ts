import type { EventLog, LaneEnd, StoredBatch, StoredEvent } from './event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from './hash-chain.js';

/** Where an account's own chain stands: its last version and the hash after it. */
export interface AccountHead {
  readonly version: number;
  readonly head: Buffer;
}

export type LaneVerdict =
  | {
      readonly verdict: 'intact';
      readonly end: LaneEnd;
      readonly accounts: ReadonlyMap<string, AccountHead>;
    }
  /** `after`: the last position up to which everything fits. */
  | { readonly verdict: 'broken'; readonly after: number; readonly reason: string };

const BATCHES_PER_PAGE = 500;
const EVENTS_PER_PAGE = 5_000;

class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

/**
 * Recomputes the chains of a lane from its first event to where the lane stood when this began, and
 * says at which position the stored events, batches and head stop fitting together. Finds any event
 * that was changed, dropped, added or moved. Reads in pages; holds one head for each account.
 */
export async function verifyLane(log: EventLog, lane: number): Promise<LaneVerdict> {
  const [end] = await log.ends([lane]);
  if (end === undefined) throw new RangeError(`There is no lane ${lane}.`);
  const check = new LaneCheck(lane);
  try {
    while (check.position < end.position) {
      const batches = await log.batches(lane, check.position, BATCHES_PER_PAGE);
      const first = batches[0];
      if (first === undefined) throw new BrokenChain('the rows of its last batches are missing');
      await checkBatches(log, check, batches, end.position);
    }
    if (!check.head.equals(end.head)) throw new BrokenChain("the lane's head is another one");
    await checkNothingBeyond(log, end);
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    return { verdict: 'broken', after: check.position, reason: error.message };
  }
  return { verdict: 'intact', end, accounts: check.accounts };
}

/**
 * An event beyond the end may have been appended since this began, but then the end, which is
 * committed with it and read after it, has moved too.
 */
async function checkNothingBeyond(log: EventLog, end: LaneEnd): Promise<void> {
  const beyond = await log.read(end.lane, end.position, 1);
  const [now] = await log.ends([end.lane]);
  if (beyond.length > 0 && now?.position === end.position) {
    throw new BrokenChain("an event stands beyond the lane's end");
  }
}

async function checkBatches(
  log: EventLog,
  check: LaneCheck,
  batches: readonly StoredBatch[],
  until: number,
): Promise<void> {
  const page = pageOf(batches, until);
  if (page.length === 0) throw new BrokenChain('a batch reaches beyond the end');
  const count = page.reduce((sum, { events }) => sum + events, 0);
  const events = await log.read(check.lane, check.position, count);
  let taken = 0;
  for (const batch of page) {
    check.batch(batch, events.slice(taken, taken + batch.events));
    taken += batch.events;
  }
}

/** The batches to check at once: none that was appended since this began, and not too much. */
function pageOf(batches: readonly StoredBatch[], until: number): StoredBatch[] {
  let events = 0;
  return batches.filter((batch, index) => {
    events += batch.events;
    return batch.lastPosition <= until && (index === 0 || events <= EVENTS_PER_PAGE);
  });
}

/** Where the recomputed chains stand. */
class LaneCheck {
  position = 0;
  head = FIRST_HEAD;
  readonly accounts = new Map<string, AccountHead>();

  constructor(readonly lane: number) {}

  batch(batch: StoredBatch, events: readonly StoredEvent[]): void {
    const first = this.position + 1;
    if (batch.lastPosition - batch.events !== this.position) {
      throw new BrokenChain(`no batch begins at position ${first}`);
    }
    const dense = events.every(({ position }, index) => position === first + index);
    if (events.length !== batch.events || !dense) {
      throw new BrokenChain(`an event from ${first} to ${batch.lastPosition} is missing`);
    }
    const head = hashBatch(
      this.head,
      events.map((event) => this.event(event)),
    );
    if (!head.equals(batch.hash)) {
      throw new BrokenChain(`the events from ${first} to ${batch.lastPosition} were changed`);
    }
    this.head = head;
    this.position = batch.lastPosition;
  }

  private event(event: StoredEvent): Buffer {
    const { version, head: before } = this.accounts.get(event.accountId) ?? {
      version: 0,
      head: FIRST_HEAD,
    };
    if (event.accountVersion !== version + 1) {
      throw new BrokenChain(`account ${event.accountId} has no version ${version + 1}`);
    }
    const head = hashEvent(before, event);
    this.accounts.set(event.accountId, { version: event.accountVersion, head });
    return head;
  }
}
