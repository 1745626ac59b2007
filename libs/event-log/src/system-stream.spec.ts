import { randomUUID } from 'node:crypto';
import {
  AppendUncertainError,
  BadEventError,
  LogUnavailableError,
  SYSTEM_LANE,
} from './event-log.js';
import { MemoryEventLog, type Interruption } from './memory-event-log.js';
import { SystemStream } from './system-stream.js';
import type { KeepEvent, SystemDecider, SystemDecision } from './system-stream.js';
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
const numbered: SystemDecider = (events) => note({ n: events.length + 1 });

async function stored(): Promise<string[]> {
  return (await log.read(SYSTEM_LANE, 0, 1_000)).map(({ data }) => data);
}

test('an event is appended with its version, position and place in the chain', async () => {
  const first = await stream.append(() => note({ a: 1 }, null));
  const second = await stream.append((events) => note({ after: events.length }));
  expect(first).toMatchObject({ lane: 0, position: 1, accountVersion: 1, data: '{"a":1}' });
  expect(second).toMatchObject({ lane: 0, position: 2, accountVersion: 2, data: '{"after":1}' });
  expect(await stream.read()).toEqual([first, second]);
  expect(await log.read(SYSTEM_LANE, 0, 10)).toEqual([first, second]);
  expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
});

test('a decider that wants nothing appends nothing', async () => {
  expect(await stream.append(() => null)).toBeNull();
  expect(await stored()).toEqual([]);
});

test('what another process appended is seen by the next read and the next decider', async () => {
  const other = new SystemStream(log);
  await stream.read();
  await other.append(numbered);
  expect(await stream.read()).toHaveLength(1);
  await other.append(numbered);
  expect(await stream.append(numbered)).toMatchObject({ position: 3, data: '{"n":3}' });
});

test('writers of several processes decide in turn: the numbers have no gap', async () => {
  const streams = Array.from({ length: 5 }, () => new SystemStream(log));
  await Promise.all(streams.flatMap((each) => [1, 2, 3, 4].map(() => each.append(numbered))));
  expect(await stored()).toEqual(Array.from({ length: 20 }, (_, index) => `{"n":${index + 1}}`));
  for (const each of streams) expect(await each.read()).toHaveLength(20);
  expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
});

test.each<[Interruption, string | null]>([
  ['lost-before-commit', randomUUID()],
  ['lost-after-commit', randomUUID()],
  ['lost-before-commit', null],
  ['lost-after-commit', null],
])('after %s the event (call id %s) stands in the log exactly once', async (fate, callId) => {
  log.interruptNext(fate);
  const event = await stream.append((events) => note({ n: events.length + 1 }, callId));
  expect(event).toMatchObject({ position: 1, callId });
  expect(await stored()).toEqual(['{"n":1}']);
  expect(await stream.append(numbered)).toMatchObject({ position: 2 });
});

test('a lost event that another writer overtook is decided anew, and appended once', async () => {
  const append = log.append.bind(log);
  let overtaken = false;
  log.append = async (appends) => {
    if (overtaken) return append(appends);
    overtaken = true;
    await new SystemStream(log).append(numbered);
    throw new AppendUncertainError('lost');
  };
  expect(await stream.append(numbered)).toMatchObject({ position: 2, data: '{"n":2}' });
  expect(await stored()).toEqual(['{"n":1}', '{"n":2}']);
});

test('an unreachable log is the caller`s to try again: nothing was appended', async () => {
  log.interruptNext('unreachable');
  await expect(stream.append(numbered)).rejects.toThrow(LogUnavailableError);
  expect(await stored()).toEqual([]);
  expect(await stream.append(numbered)).toMatchObject({ position: 1 });
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
  expect(await stream.append(numbered)).toMatchObject({ position: 1, data: '{"n":1}' });
  expect(await stored()).toEqual(['{"n":1}']);
});

test('a call id that exists is refused, and the stream goes on', async () => {
  const callId = randomUUID();
  await stream.append(() => note({}, callId));
  await expect(stream.append(() => note({ again: true }, callId))).rejects.toThrow(BadEventError);
  expect(await stream.append(numbered)).toMatchObject({ position: 2 });
});

test('what is kept in memory may be less than what is written, and proves the same', async () => {
  const keep: KeepEvent = (event) => ({ ...event, data: '{}' });
  const small = new SystemStream(log, keep);
  const written = await small.append(() => note({ long: 'x'.repeat(100) }));
  expect(written?.data).toContain('xxx');
  expect(await small.read()).toEqual([{ ...written, data: '{}' }]);
  await stream.append(() => note({ long: 'y' }));
  await small.append(() => note({ long: 'z' }));
  expect((await small.read()).map(({ data }) => data)).toEqual(['{}', '{}', '{}']);
  expect(await stored()).toEqual((await stream.read()).map(({ data }) => data));
  expect(await verifyLane(log, SYSTEM_LANE)).toMatchObject({ verdict: 'intact' });
});
