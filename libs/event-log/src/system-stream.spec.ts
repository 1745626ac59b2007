import { randomUUID } from 'node:crypto';
import {
  AppendUncertainError,
  BadEventError,
  LogUnavailableError,
  SYSTEM_LANE,
} from './event-log.js';
import { MemoryEventLog, type Interruption } from '../test-adapters/memory-event-log.js';
import { EVERY_EVENT } from './every-event.suite.js';
import { NOTHING, type Fold } from './fold.js';
import type { LostPositions } from './lane-continuity.js';
import { SystemStream } from './system-stream.js';
import type { SystemDecision } from './system-decision.js';
import { verifyLane } from './verify-lane.js';

let log: MemoryEventLog;
let stream: SystemStream;

beforeEach(() => {
  log = new MemoryEventLog();
  stream = new SystemStream(log);
});

function note(data: object, callId: string | null = randomUUID()): SystemDecision {
  return { callId, type: 'Noted', at: 1_793_491_200_000, data };
}

/** Numbers its event by what it sees: two writers that see the same would number alike. */
const numbered = (events: number) => note({ n: events + 1 });

/** How many events there are. */
const COUNT: Fold<number> = { initial: () => 0, evolve: (count) => count + 1 };

async function stored(): Promise<string[]> {
  return (await log.read(SYSTEM_LANE, 0, 1_000)).map(({ data }) => data);
}

test('an event is appended with its version, position and place in the chain', async () => {
  const first = await stream.append(NOTHING, () => note({ a: 1 }, null));
  const second = await stream.append(COUNT, (count) => note({ after: count }));
  expect(first).toMatchObject({ lane: 0, position: 1, accountVersion: 1, data: '{"a":1}' });
  expect(second).toMatchObject({ lane: 0, position: 2, accountVersion: 2, data: '{"after":1}' });
  expect(await stream.read(EVERY_EVENT)).toEqual([first, second]);
  expect(await log.read(SYSTEM_LANE, 0, 10)).toEqual([first, second]);
  expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
});

test('a decider that wants nothing appends nothing', async () => {
  expect(await stream.append(NOTHING, () => null)).toBeNull();
  expect(await stored()).toEqual([]);
});

test('what another process appended is seen by the next read and the next decider', async () => {
  const other = new SystemStream(log);
  await stream.read(EVERY_EVENT);
  await other.append(COUNT, numbered);
  expect(await stream.read(EVERY_EVENT)).toHaveLength(1);
  await other.append(COUNT, numbered);
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 3, data: '{"n":3}' });
});

test('writers of several processes decide in turn: the numbers have no gap', async () => {
  const streams = Array.from({ length: 5 }, () => new SystemStream(log));
  await Promise.all(
    streams.flatMap((each) => [1, 2, 3, 4].map(() => each.append(COUNT, numbered))),
  );
  expect(await stored()).toEqual(Array.from({ length: 20 }, (_, index) => `{"n":${index + 1}}`));
  for (const each of streams) expect(await each.read(EVERY_EVENT)).toHaveLength(20);
  expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
});

test.each<[Interruption, string | null]>([
  ['lost-before-commit', randomUUID()],
  ['lost-after-commit', randomUUID()],
  ['lost-before-commit', null],
  ['lost-after-commit', null],
])('after %s the event (call id %s) stands in the log exactly once', async (fate, callId) => {
  log.interruptNext(fate);
  const event = await stream.append(COUNT, (count) => note({ n: count + 1 }, callId));
  expect(event).toMatchObject({ position: 1, callId });
  expect(await stored()).toEqual(['{"n":1}']);
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 2 });
});

test('a lost event that another writer overtook is decided again, and appended once', async () => {
  const append = log.append.bind(log);
  let overtaken = false;
  log.append = async (appends) => {
    if (overtaken) return append(appends);
    overtaken = true;
    await new SystemStream(log).append(COUNT, numbered);
    throw new AppendUncertainError('lost');
  };
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 2, data: '{"n":2}' });
  expect(await stored()).toEqual(['{"n":1}', '{"n":2}']);
});

test('an unreachable log is the caller`s to try again: nothing was appended', async () => {
  log.interruptNext('unreachable');
  await expect(stream.append(COUNT, numbered)).rejects.toThrow(LogUnavailableError);
  expect(await stored()).toEqual([]);
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 1 });
});

test('after a lost connection a log that does not answer is waited for', async () => {
  log.interruptNext('lost-after-commit');
  log.interruptNext('unreachable');
  const ends = log.ends.bind(log);
  let asked = 0;
  log.ends = async (lanes) => {
    asked += 1;
    if (asked === 2 || asked === 3) throw new LogUnavailableError('away');
    return ends(lanes);
  };
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 1, data: '{"n":1}' });
  expect(await stored()).toEqual(['{"n":1}']);
});

test('a call id that exists is refused, and the stream goes on', async () => {
  const callId = randomUUID();
  await stream.append(NOTHING, () => note({}, callId));
  await expect(stream.append(NOTHING, () => note({ again: true }, callId))).rejects.toThrow(
    BadEventError,
  );
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 2 });
});

test('a command that comes again is answered with what it made, and decides nothing', async () => {
  const callId = randomUUID();
  const { callId: _none, ...decided } = note({ first: true });
  const other = new SystemStream(log);
  const made = await other.appendOnce(callId, COUNT, () => decided);
  expect(made).toMatchObject({ replayed: false, value: 1, event: { callId } });
  const decide = () => {
    throw new Error('It decides again.');
  };
  const again = await stream.appendOnce(callId, COUNT, decide);
  expect(again).toEqual({ ...made, replayed: true });
  expect(await stored()).toEqual(['{"first":true}']);
});

test('a fold that is named late begins with the first event', async () => {
  for (let n = 1; n <= 3; n++) await stream.append(COUNT, numbered);
  expect(await stream.read(EVERY_EVENT)).toHaveLength(3);
  await stream.append(COUNT, numbered);
  expect((await stream.read(EVERY_EVENT)).map(({ position }) => position)).toEqual([1, 2, 3, 4]);
});

test('each event is taken in once and read once, however much is decided', async () => {
  let taken = 0;
  const read = jest.spyOn(log, 'read');
  const counting: Fold<null> = { initial: () => null, evolve: () => ((taken += 1), null) };
  for (let n = 1; n <= 50; n++) {
    await stream.append(counting, () => note({ n }));
    await stream.read(counting);
  }
  expect([taken, read.mock.calls.length]).toEqual([50, 0]);
});

test('an event that one fold cannot take in stops that fold alone', async () => {
  const picky: Fold<null> = {
    initial: () => null,
    evolve: () => {
      throw new Error('What is this?');
    },
  };
  expect(await stream.read(picky)).toBeNull();
  await stream.append(COUNT, numbered);
  await expect(stream.read(picky)).rejects.toThrow('What is this?');
  expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 2 });
});

describe('a log that goes back', () => {
  const known = async (): Promise<string[]> =>
    (await stream.read(EVERY_EVENT)).map(({ data }) => data);
  let lost: LostPositions[];

  beforeEach(() => {
    lost = [];
    stream = new SystemStream(log, { lost: (loss) => lost.push(loss), register: () => undefined });
  });

  test.each([0, 1, 2, 3, 4])('is read again when it has grown by %d since', async (count) => {
    await stream.append(COUNT, numbered);
    const goBack = log.mark();
    for (let n = 0; n < 2; n += 1) await stream.append(NOTHING, () => note({ lost: n }));
    await known();
    goBack();
    const other = new SystemStream(log);
    for (let n = 0; n < count; n += 1) await other.append(NOTHING, () => note({ other: n }));
    expect(await known()).toEqual(await stored());
    expect(lost).toEqual([{ lane: 0, from: 3, to: count < 2 ? 1 + count : null }]);
    expect(await stream.append(COUNT, numbered)).toMatchObject({
      position: 2 + count,
      data: `{"n":${2 + count}}`,
    });
    expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
  });

  test('takes with it what an append was decided on', async () => {
    await stream.append(COUNT, numbered);
    const goBack = log.mark();
    await stream.append(COUNT, numbered);
    const append = log.append.bind(log);
    log.append = async (appends) => {
      log.append = append;
      goBack();
      return append(appends);
    };
    expect(await stream.append(COUNT, numbered)).toMatchObject({ position: 2, data: '{"n":2}' });
    expect(await known()).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('and breaks off while it is read is read again from its first event', async () => {
    await stream.append(COUNT, numbered);
    const goBack = log.mark();
    for (let n = 0; n < 1_500; n += 1) await new SystemStream(log).append(NOTHING, () => note({}));
    const read = log.read.bind(log);
    let pages = 0;
    log.read = async (...asked) => {
      pages += 1;
      if (pages === 2) throw new LogUnavailableError('away');
      return read(...asked);
    };
    await expect(known()).rejects.toThrow(LogUnavailableError);
    goBack();
    await new SystemStream(log).append(NOTHING, () => note({ other: true }));
    expect(await known()).toEqual(['{"n":1}', '{"other":true}']);
  });
});
