import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { appendAgainst, groupOf } from '../../../test/setup/log-steps.js';
import type { EventLog, StoredEvent } from './event-log.js';
import { verifyLane } from './verify-lane.js';

export interface RacedLog {
  readonly log: EventLog;
  readonly close: () => Promise<void>;
}

/** Small, so that a follower reads many pages. */
const PAGE_SIZE = 7;

/** The contract of every adapter of EventLog while several writers append at once. */
export function raceContract(open: () => Promise<RacedLog>): void {
  let opened: RacedLog;
  let log: EventLog;
  let lanes: readonly number[];

  beforeEach(async () => {
    opened = await open();
    log = opened.log;
    lanes = groupOf(log, 5);
  });

  afterEach(() => opened.close());

  /** A writer with an account of its own in each lane, which names the lanes in the order given. */
  async function write(named: readonly number[], rounds: number, count: number): Promise<number> {
    const accounts = named.map((lane) => TestAccount.inLane(lane));
    let retries = 0;
    for (let round = 0; round < rounds; round++) {
      retries += await appendAgainst(
        log,
        accounts.map((account) => account.many(count)),
      );
    }
    return retries;
  }

  test('two writers race for the same lanes in both orders: no deadlock, no loss', async () => {
    const retries = await Promise.all([write(lanes, 40, 3), write(lanes.toReversed(), 40, 3)]);
    expect(retries[0] + retries[1]).toBeGreaterThan(0);
    for (const lane of lanes) {
      const events = await log.read(lane, 0, 1_000);
      expect(events.map(({ position }) => position)).toEqual(
        Array.from({ length: 240 }, (_, index) => index + 1),
      );
      expect(await verifyLane(log, lane)).toMatchObject({ verdict: 'intact' });
    }
  });

  test('a follower of eight writers sees no gap, no repeat and no reordering', async () => {
    const total = 8 * 25 * 2;
    const following = Promise.all(lanes.map((lane) => follow(log, lane, total)));
    const writers = Array.from({ length: 8 }, (_, index) =>
      write(index % 2 === 0 ? lanes : lanes.toReversed(), 25, 2),
    );
    await Promise.all(writers);
    const seen = await following;
    const kept = await Promise.all(lanes.map((lane) => log.read(lane, 0, 2 * total)));
    expect(seen).toEqual(kept);
    const positions = Array.from({ length: total }, (_, index) => index + 1);
    for (const events of seen) {
      expect(events.map(({ position }) => position)).toEqual(positions);
      expectAccountOrder(events);
    }
  });
}

/** Reads a lane page by page while it grows, until it has given so many events. */
async function follow(log: EventLog, lane: number, total: number): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  const hasReadAll = async (): Promise<boolean> => {
    let page: readonly StoredEvent[];
    do {
      page = await log.read(lane, seen.at(-1)?.position ?? 0, PAGE_SIZE);
      seen.push(...page);
    } while (page.length === PAGE_SIZE);
    return seen.length >= total;
  };
  await waitFor(`the events of lane ${lane} are read`, hasReadAll);
  return seen;
}

function expectAccountOrder(events: readonly StoredEvent[]): void {
  const versions = new Map<string, number>();
  for (const { accountId, accountVersion } of events) {
    expect(accountVersion).toBe((versions.get(accountId) ?? 0) + 1);
    versions.set(accountId, accountVersion);
  }
}
