import fc from 'fast-check';
import { appendAll } from '../../../test/setup/log-steps.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import type { EventLog, LaneEnd, StoredBatch, StoredEvent } from './event-log.js';
import { FIRST_HEAD } from './hash-chain.js';
import { MemoryEventLog } from '../test-adapters/memory-event-log.js';
import { verifyLane } from './verify-lane.js';

const LANE = 8;

/** A copy of one lane that somebody has had their hands on. */
interface Tampered {
  events: StoredEvent[];
  batches: StoredBatch[];
  end: LaneEnd;
}

async function copyOf(log: EventLog): Promise<Tampered> {
  const [end] = await log.ends([LANE]);
  if (end === undefined) throw new Error('no lane');
  const [events, batches] = [await log.read(LANE, 0, 10_000), await log.batches(LANE, 0, 10_000)];
  return { events: [...events], batches: [...batches], end };
}

function logOf({ events, batches, end }: Tampered): EventLog {
  const log = new MemoryEventLog();
  return Object.assign(log, {
    ends: async () => [end],
    read: async (_lane: number, after: number, limit: number) =>
      events.filter(({ position }) => position > after).slice(0, limit),
    batches: async (_lane: number, after: number, limit: number) =>
      batches.filter(({ lastPosition }) => lastPosition > after).slice(0, limit),
  });
}

/** Two accounts of the lane, with appends of these sizes in turn. */
async function logWith(sizes: readonly number[]): Promise<MemoryEventLog> {
  const log = new MemoryEventLog();
  const accounts = [TestAccount.inLane(LANE), TestAccount.inLane(LANE)];
  for (const [index, size] of sizes.entries()) {
    const account = accounts[index % 2] ?? TestAccount.inLane(LANE);
    await appendAll(log, [account.many(size)]);
  }
  return log;
}

test('an untouched lane is intact, and each account stands where its own chain does', async () => {
  const log = new MemoryEventLog();
  const [a, b] = [TestAccount.inLane(LANE), TestAccount.inLane(LANE)];
  await appendAll(log, [[...a.many(3), ...b.many(1)]]);
  await appendAll(log, [a.many(2)]);
  const [end] = await log.ends([LANE]);
  expect(await verifyLane(log, LANE)).toEqual({
    verdict: 'intact',
    end,
    accounts: new Map([
      [a.id, { version: 5, head: a.head }],
      [b.id, { version: 1, head: b.head }],
    ]),
  });
});

test('an empty lane is intact', async () => {
  expect(await verifyLane(new MemoryEventLog(), LANE)).toMatchObject({ verdict: 'intact' });
});

test('a lane of more events and batches than fit on a page is intact', async () => {
  const log = await logWith([6_000, ...Array.from({ length: 600 }, () => 1), 4_000, 2_000]);
  expect(await verifyLane(log, LANE)).toMatchObject({
    verdict: 'intact',
    end: { position: 12_600 },
  });
});

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });

async function expectBroken(tamper: (copy: Tampered, at: number) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (chosen, seed) => {
      const copy = await copyOf(await logWith(chosen));
      const at = seed % copy.events.length;
      tamper(copy, at);
      const verdict = await verifyLane(logOf(copy), LANE);
      expect(verdict).toMatchObject({ verdict: 'broken' });
      // What comes before the place stays trusted, and nothing much after it.
      if (verdict.verdict === 'broken') expect(verdict.after).toBeLessThanOrEqual(at + 1);
    }),
    { numRuns: 50 },
  );
}

test('a changed event is found', () =>
  expectBroken(({ events }, at) => {
    const event = events[at];
    if (event !== undefined) events[at] = { ...event, data: `${event.data} ` };
  }));

test('a dropped event is found, also when the later ones are moved up', async () => {
  await expectBroken(({ events }, at) => events.splice(at, 1));
  await expectBroken((copy, at) => {
    copy.events = copy.events
      .toSpliced(at, 1)
      .map((event, index) => ({ ...event, position: index + 1 }));
  });
});

test('an event put in is found', () =>
  expectBroken((copy, at) => {
    const extra = copy.events[at];
    if (extra === undefined) return;
    copy.events = copy.events
      .toSpliced(at, 0, extra)
      .map((event, index) => ({ ...event, position: index + 1 }));
  }));

test('an event moved to another account is found', () =>
  expectBroken(({ events }, at) => {
    const event = events[at];
    if (event !== undefined) events[at] = { ...event, accountId: TestAccount.inLane(LANE).id };
  }));

test('two events that changed places are found', async () => {
  const copy = await copyOf(await logWith([2, 2]));
  const [a, b, c, d] = copy.events;
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error();
  const swapped = [a, { ...c, position: 2 }, { ...b, position: 3 }, d];
  expect(await verifyLane(logOf({ ...copy, events: swapped }), LANE)).toMatchObject({
    verdict: 'broken',
    after: 0,
  });
});

test.each<[string, (copy: Tampered) => void, number]>([
  ['a missing tail', (copy) => copy.events.splice(4), 4],
  ['missing batches', (copy) => copy.batches.splice(1), 2],
  ['a batch that is missing in the middle', (copy) => copy.batches.splice(1, 1), 2],
  ['another hash of a batch', (copy) => replaceHash(copy, 1), 2],
  ['another head', (copy) => (copy.end = { ...copy.end, head: FIRST_HEAD }), 6],
  ['an end inside a batch', (copy) => (copy.end = { ...copy.end, position: 3 }), 2],
])('%s is found', async (_name, tamper, after) => {
  const copy = await copyOf(await logWith([2, 2, 2]));
  tamper(copy);
  expect(await verifyLane(logOf(copy), LANE)).toMatchObject({ verdict: 'broken', after });
});

test('a tail cut off with its batches and end is found only by a head kept elsewhere', async () => {
  const log = await logWith([2, 2]);
  const cut = await copyOf(log);
  await appendAll(log, [TestAccount.inLane(LANE).many(1)]);
  const [kept] = await log.ends([LANE]);
  const verdict = await verifyLane(logOf(cut), LANE);
  expect(verdict).toMatchObject({ verdict: 'intact', end: { position: 4 } });
  expect(kept?.head).not.toBe(cut.end.head);
});

test('events appended while the lane is checked are no fault', async () => {
  const log = await logWith([2, 2]);
  const ends = log.ends.bind(log);
  log.ends = async (lanes) => {
    const answer = await ends(lanes);
    await appendAll(Object.assign(Object.create(log), { ends }), [
      TestAccount.inLane(LANE).many(3),
    ]);
    return answer;
  };
  expect(await verifyLane(log, LANE)).toMatchObject({ verdict: 'intact', end: { position: 4 } });
});

function replaceHash({ batches }: Tampered, index: number): void {
  const batch = batches[index];
  if (batch !== undefined) batches[index] = { ...batch, hash: FIRST_HEAD };
}
