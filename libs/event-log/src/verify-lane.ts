import type { EventLog, LaneEnd, StoredBatch } from './event-log.js';
import { LaneChains, type AccountHead } from './lane-chains.js';

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
  const chains = new LaneChains(lane, ({ text }) => {
    throw new BrokenChain(text);
  });
  try {
    while (chains.closed < end.position) {
      const batches = await log.batches(lane, chains.closed, BATCHES_PER_PAGE);
      await checkBatches(log, chains, batches, end.position);
    }
    chains.end(end);
    await checkNothingBeyond(log, end);
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    return { verdict: 'broken', after: chains.closed, reason: error.message };
  }
  return { verdict: 'intact', end, accounts: chains.accounts };
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
  chains: LaneChains,
  batches: readonly StoredBatch[],
  until: number,
): Promise<void> {
  if (batches.length === 0) throw new BrokenChain('the rows of its last batches are missing');
  const page = pageOf(batches, until);
  if (page.length === 0) throw new BrokenChain('a batch reaches beyond the end');
  const count = page.reduce((sum, { events }) => sum + events, 0);
  const events = await log.read(chains.lane, chains.closed, count);
  let taken = 0;
  for (const batch of page) {
    const own = events.slice(taken, taken + batch.events);
    for (const event of own) chains.event(event);
    chains.batch(batch);
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
