import { randomUUID } from 'node:crypto';
import { TestAccount } from '../../../test/setup/test-events.js';
import {
  AppendUncertainError,
  BadEventError,
  LogUnavailableError,
  type EventLog,
  type LaneAppend,
  type LaneEnd,
  type NewEvent,
} from './event-log.js';
import { FIRST_HEAD, hashBatch } from './hash-chain.js';
import type { Interruption } from '../test-adapters/memory-event-log.js';
import { appendAll, columnsOf, endOf, groupOf } from '../../../test/setup/log-steps.js';
import { verifyLane } from './verify-lane.js';

/** An empty log and the ways to disturb it. */
export interface LogUnderTest {
  readonly log: EventLog;
  /** Lets the next append fail in this way. */
  readonly interrupt: (interruption: Interruption) => Promise<void>;
  /** Makes the store answer again. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The contract of every adapter of EventLog. */
export function eventLogContract(open: () => Promise<LogUnderTest>): void {
  let opened: LogUnderTest;
  let log: EventLog;

  beforeEach(async () => {
    opened = await open();
    log = opened.log;
  });

  afterEach(() => opened.close());

  test('an empty log stands at position 0 with a head of zeros in all 65 lanes', async () => {
    const ends = await log.ends();
    expect(ends.map(({ lane }) => lane)).toEqual(Array.from({ length: 65 }, (_, lane) => lane));
    expect(ends.every(({ position, head }) => position === 0 && head === FIRST_HEAD)).toBe(true);
    expect(await log.read(1, 0, 10)).toEqual([]);
  });

  test('each lane is in one group, and there are at least eight groups', async () => {
    const lanes = log.groups.flat().toSorted((a, b) => a - b);
    expect(lanes).toEqual(Array.from({ length: 65 }, (_, lane) => lane));
    expect(log.groups.length).toBeGreaterThanOrEqual(8);
  });

  test('positions are dense in each lane, and an append answers the new ends', async () => {
    const [a, b] = accountsIn(groupOf(log, 2));
    const first = await appendAll(log, [a.many(2), b.many(3)]);
    const second = await appendAll(log, [a.many(1)]);
    expect(first.map(({ lane, position }) => [lane, position])).toEqual([
      [a.lane, 2],
      [b.lane, 3],
    ]);
    expect(second.map(({ lane, position }) => [lane, position])).toEqual([[a.lane, 3]]);
    expect((await log.read(a.lane, 0, 10)).map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(await log.ends([a.lane])).toEqual(second);
    expect(await log.ends([b.lane])).toEqual(first.slice(1));
  });

  test("a lane's head is the hash of its last batch, chained over all batches before", async () => {
    const account = TestAccount.inLane(5);
    const [one, two] = [account.many(2), account.many(1)];
    await appendAll(log, [one]);
    await appendAll(log, [two]);
    const heads = [one, two].map((events) => events.map(({ hash }) => hash));
    const first = hashBatch(FIRST_HEAD, heads[0] ?? []);
    const second = hashBatch(first, heads[1] ?? []);
    expect(await log.batches(5, 0, 10)).toEqual([
      { lane: 5, lastPosition: 2, events: 2, hash: first, committedAt: expect.any(Number) },
      { lane: 5, lastPosition: 3, events: 1, hash: second, committedAt: expect.any(Number) },
    ]);
    expect(await log.batches(5, 2, 10)).toHaveLength(1);
    expect((await endOf(log, 5)).head).toEqual(second);
    expect(await verifyLane(log, 5)).toMatchObject({ verdict: 'intact' });
  });

  test.each([
    ['white space and the order of members', '{ "b" : 1 ,\n\t"a":[ ] }'],
    ['escapes as they were written', '{"a":"\\u00e9\\/\\n\\ud83d\\ude00\\\\u0000"}'],
    ['members of the same name', '{"a":1,"a":2}'],
    ['numbers as they were written', '{"n":[1.0,1e2,-0,12345678901234567890.10]}'],
    ['text beyond the basic plane', '{"a":"é 漢 😀 \u2028"}'],
    ['quotes, backslashes and braces', '{"a":"\\"{},\\\\NULL\\""}'],
    ['a value that is no object', 'null'],
  ])('the data read is the data written: %s', async (_name, data) => {
    const event = TestAccount.inLane(7).next({ data });
    await appendAll(log, [[event]]);
    const [stored] = await log.read(7, 0, 1);
    expect(stored).toEqual({ ...columnsOf(event), lane: 7, position: 1 });
  });

  test.each([
    ['0001-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z'],
    ['2026-11-24T00:00:00.001Z'],
    ['9999-12-31T23:59:59.999Z'],
  ])('the moment %s keeps its millisecond', async (text) => {
    const at = Date.parse(text);
    await appendAll(log, [[TestAccount.inLane(1).next({ at, type: 'Tick-ü' })]]);
    expect(await log.read(1, 0, 1)).toMatchObject([{ at, type: 'Tick-ü' }]);
  });

  test('a lane that moved is left out whole, and the others are written', async () => {
    const [a, b, c] = accountsIn(groupOf(log, 3));
    const stale = await endOf(log, b.lane);
    await appendAll(log, [TestAccount.inLane(b.lane).many(1)]);
    const appends: LaneAppend[] = [
      { end: await endOf(log, c.lane), events: c.many(1) },
      { end: stale, events: b.many(2) },
      { end: await endOf(log, a.lane), events: a.many(1) },
    ];
    const written = await log.append(appends);
    expect(written.map(({ lane }) => lane)).toEqual([a.lane, c.lane]);
    expect(await log.readAccount(b.id, 0, 10)).toEqual([]);
    expect((await endOf(log, b.lane)).position).toBe(1);
    expect((await log.batches(b.lane, 0, 10)).length).toBe(1);
  });

  test('a lane with another head at the same position is left out', async () => {
    const account = TestAccount.inLane(9);
    const end: LaneEnd = { lane: 9, position: 0, head: '01'.repeat(32) };
    expect(await log.append([{ end, events: account.many(1) }])).toEqual([]);
    expect(await log.read(9, 0, 1)).toEqual([]);
  });

  test('an append of nothing writes nothing', async () => {
    expect(await log.append([])).toEqual([]);
  });

  test('an append across groups is refused, and writes nothing', async () => {
    const [one, another] = accountsIn(log.groups.slice(0, 2).map((group) => group.at(-1) ?? 0));
    const appends: LaneAppend[] = [
      { end: await endOf(log, one.lane), events: one.many(1) },
      { end: await endOf(log, another.lane), events: another.many(1) },
    ];
    await expect(log.append(appends)).rejects.toThrow(RangeError);
    expect((await log.ends()).every(({ position }) => position === 0)).toBe(true);
    for (const append of appends) expect(await log.append([append])).toHaveLength(1);
  });

  test('a lane named twice or without events is a mistake of the caller', async () => {
    const end = await endOf(log, 1);
    const events = TestAccount.inLane(1).many(1);
    await expect(log.append([{ end, events: [] }])).rejects.toThrow(RangeError);
    await expect(
      log.append([
        { end, events },
        { end, events },
      ]),
    ).rejects.toThrow(RangeError);
  });

  const known = TestAccount.inLane(20);
  const taken = randomUUID();
  const good = known.next({ callId: taken });
  const bad: [string, () => NewEvent[]][] = [
    ['a call id that the lane has', () => [known.preview({ callId: taken })]],
    ['an account version that exists', () => [known.preview({ accountVersion: 1 })]],
    ['one call id twice', () => twice({ callId: randomUUID() })],
    ['one account version twice', () => twice({ accountVersion: 2 })],
    ['data that is no JSON', () => [known.preview({ data: '{"a":}' })]],
    ['empty data', () => [known.preview({ data: '' })]],
    ['an escaped NUL', () => [known.preview({ data: '{"a":"\\u0000"}' })]],
    ['an escaped NUL behind a backslash', () => [known.preview({ data: '"\\\\\\u0000"' })]],
    ['a NUL character', () => [known.preview({ data: '{"a":"\0"}' })]],
    ['a NUL character in the type', () => [known.preview({ type: 'Call\0' })]],
    ['half of a surrogate pair', () => [known.preview({ data: '{"a":"\ud83d"}' })]],
    ['an escaped half', () => [known.preview({ data: '{"a":"\\ud83d\\n"}' })]],
    ['an escaped second half', () => [known.preview({ data: '{"a":"\\ude00"}' })]],
    ['an empty type', () => [known.preview({ type: '' })]],
    ['version 0', () => [known.preview({ accountVersion: 0 })]],
    ['a fraction of a millisecond', () => [known.preview({ at: 0.5 })]],
    ['a moment beyond the calendar', () => [known.preview({ at: 9e15 })]],
    ['a call id in capitals', () => [known.preview({ callId: taken.toUpperCase() })]],
    ['a call id that is no UUID', () => [known.preview({ callId: 'call-1' })]],
    ['an account of another lane', () => [TestAccount.inLane(21).next()]],
    ['a hash that is too short', () => [{ ...known.preview(), hash: '00'.repeat(31) }]],
  ];

  function twice(columns: Partial<NewEvent>): NewEvent[] {
    return [known.preview(columns), known.preview({ accountVersion: 3, ...columns })];
  }

  test.each(bad)(
    'one bad event among good ones lets nothing be written: %s',
    async (_n, events) => {
      await appendAll(log, [[good]]);
      const ends = await log.ends();
      const end = await endOf(log, 20);
      const group = log.groups.find((lanes) => lanes.includes(20)) ?? [];
      const lane = group.find((each) => each > 20) ?? 0;
      const other = { end: await endOf(log, lane), events: TestAccount.inLane(lane).many(2) };
      await expect(log.append([{ end, events: events() }, other])).rejects.toThrow(BadEventError);
      expect(await log.ends()).toEqual(ends);
      expect(await log.read(lane, 0, 1)).toEqual([]);
      expect(await log.append([other])).toHaveLength(1);
    },
  );

  test('the same call id may stand in two lanes, and any number of events have none', async () => {
    const callId = randomUUID();
    const [a, b] = [TestAccount.inLane(1), TestAccount.inLane(2)];
    await appendAll(log, [
      [a.next({ callId }), a.next({ callId: null }), a.next({ callId: null })],
      [b.next({ callId })],
    ]);
    const found = await log.findCalls([{ lane: 2, callId }]);
    expect(found.map(({ accountId }) => accountId)).toEqual([b.id]);
    expect(
      await log.findCalls([
        { lane: 1, callId },
        { lane: 2, callId },
      ]),
    ).toHaveLength(2);
    expect(
      await log.findCalls([
        { lane: 3, callId },
        { lane: 1, callId: randomUUID() },
      ]),
    ).toEqual([]);
    expect(await log.findCalls([])).toEqual([]);
  });

  test('reading goes page by page, by lane and by account', async () => {
    const [a, b] = [TestAccount.inLane(11), TestAccount.inLane(11)];
    await appendAll(log, [[...a.many(2), ...b.many(2), ...a.many(1)]]);
    expect((await log.read(11, 1, 2)).map(({ position }) => position)).toEqual([2, 3]);
    expect((await log.read(11, 4, 10)).map(({ position }) => position)).toEqual([5]);
    const own = await log.readAccount(a.id, 0, 2);
    expect(own.map(({ accountVersion, position }) => [accountVersion, position])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect((await log.readAccount(a.id, 2, 10)).map(({ position }) => position)).toEqual([5]);
  });

  const fates: [Interruption, typeof AppendUncertainError | typeof LogUnavailableError, boolean][] =
    [
      ['unreachable', LogUnavailableError, false],
      ['lost-before-commit', AppendUncertainError, false],
      ['lost-after-commit', AppendUncertainError, true],
    ];

  test.each(fates)(
    'after %s the truth is found by the call ids',
    async (fate, error, isWritten) => {
      const group = groupOf(log, 2);
      const ends = await log.ends(group);
      const appends = ends.map((end): LaneAppend => {
        return { end, events: TestAccount.inLane(end.lane).many(1) };
      });
      await opened.interrupt(fate);
      await expect(log.append(appends)).rejects.toThrow(error);
      await opened.restore();
      const calls = appends.map(({ end, events }) => ({
        lane: end.lane,
        callId: events[0]?.callId ?? '',
      }));
      expect(await log.findCalls(calls)).toHaveLength(isWritten ? group.length : 0);
      expect(await log.append(appends)).toHaveLength(isWritten ? 0 : group.length);
      expect(await log.findCalls(calls)).toHaveLength(group.length);
    },
  );
}

/** An account in each of these lanes, at most three. */
function accountsIn(lanes: readonly number[]): [TestAccount, TestAccount, TestAccount] {
  return lanes.map((lane) => TestAccount.inLane(lane)) as ReturnType<typeof accountsIn>;
}
