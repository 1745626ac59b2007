import type { EventLog, LaneEnd, StoredBatch, StoredEvent } from './event-log.js';
import { LaneChains, type AccountHead } from './lane-chains.js';

interface IntactLane {
  readonly verdict: 'intact';
  readonly end: LaneEnd;
  readonly accounts: ReadonlyMap<string, AccountHead>;
}

export type LaneVerdict =
  | IntactLane
  /** `after`: the last position up to which everything fits. */
  | { readonly verdict: 'broken'; readonly after: number; readonly reason: string };

const BATCHES_PER_PAGE = 500;
const EVENTS_PER_PAGE = 5_000;

/** Thrown where the events, batches and head of a lane do not fit together. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';

  constructor(
    reason: string,
    /** The last position up to which everything fits. */
    readonly after: number,
  ) {
    super(reason);
  }
}

/** An event with its account's head after it, 64 hex digits. */
export interface ChainedEvent {
  readonly event: StoredEvent;
  readonly head: string;
}

/**
 * Recomputes the chains of a lane from its first event to where the lane stood when this began, and
 * says at which position the stored events, batches and head stop fitting together. Finds any event
 * that was changed, dropped, added or moved. Reads in pages; holds one head for each account.
 */
export async function verifyLane(log: EventLog, lane: number): Promise<LaneVerdict> {
  const walk = walkLane(log, lane);
  try {
    for (;;) {
      const { done, value } = await walk.next();
      if (done === true) return { verdict: 'intact', ...value };
    }
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    return { verdict: 'broken', after: error.after, reason: error.message };
  }
}

/**
 * The events of a lane on the way, batch after batch: those of a page fit to all before them. At
 * its end it returns where the lane and its accounts stand. Throws BrokenChain.
 */
export async function* walkLane(
  log: EventLog,
  lane: number,
): AsyncGenerator<readonly ChainedEvent[], Omit<IntactLane, 'verdict'>> {
  const [end] = await log.ends([lane]);
  if (end === undefined) throw new RangeError(`There is no lane ${lane}.`);
  const chains: LaneChains = new LaneChains(lane, ({ text }) => {
    throw new BrokenChain(text, chains.closed);
  });
  while (chains.closed < end.position) {
    const batches = await log.batches(lane, chains.closed, BATCHES_PER_PAGE);
    yield await checkBatches(log, chains, batches, end.position);
  }
  chains.end(end);
  await checkNothingBeyond(log, end);
  return { end, accounts: chains.accounts };
}

/**
 * An event beyond the end may have been appended since this began, but then the end, which is
 * committed with it and read after it, has moved too.
 */
async function checkNothingBeyond(log: EventLog, end: LaneEnd): Promise<void> {
  const beyond = await log.read(end.lane, end.position, 1);
  const [now] = await log.ends([end.lane]);
  if (beyond.length > 0 && now?.position === end.position) {
    throw new BrokenChain("an event stands beyond the lane's end", end.position);
  }
}

async function checkBatches(
  log: EventLog,
  chains: LaneChains,
  batches: readonly StoredBatch[],
  until: number,
): Promise<ChainedEvent[]> {
  const { closed } = chains;
  if (batches.length === 0) {
    throw new BrokenChain('the rows of its last batches are missing', closed);
  }
  const page = pageOf(batches, until);
  if (page.length === 0) throw new BrokenChain('a batch reaches beyond the end', closed);
  const count = page.reduce((sum, { events }) => sum + events, 0);
  const events = await log.read(chains.lane, closed, count);
  const chained: ChainedEvent[] = [];
  for (const batch of page) {
    const own = events.slice(chained.length, chained.length + batch.events);
    for (const event of own) chained.push({ event, head: chains.event(event) });
    chains.batch(batch);
  }
  return chained;
}

/** The batches to check at once: none that was appended since this began, and not too much. */
function pageOf(batches: readonly StoredBatch[], until: number): StoredBatch[] {
  let events = 0;
  return batches.filter((batch, index) => {
    events += batch.events;
    return batch.lastPosition <= until && (index === 0 || events <= EVENTS_PER_PAGE);
  });
}
