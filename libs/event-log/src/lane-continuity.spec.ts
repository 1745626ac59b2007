import type { LaneEnd, StoredBatch } from './event-log.js';
import { FIRST_HEAD } from './hash-chain.js';
import { findLost, lostPositions } from './lane-continuity.js';
import { MemoryEventLog } from '../test-adapters/memory-event-log.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { appendAll, endOf } from '../../../test/setup/log-steps.js';

const [A, B] = ['aa'.repeat(32), 'bb'.repeat(32)];

function end(position: number, head: string): LaneEnd {
  return { lane: 17, position, head };
}

function batch(lastPosition: number, hash: string): StoredBatch {
  return { lane: 17, lastPosition, events: 1, hash, committedAt: 0 };
}

describe('an end of a lane', () => {
  const table: [
    string,
    LaneEnd,
    LaneEnd,
    StoredBatch | undefined,
    [number, number | null] | null,
  ][] = [
    ['that is the known one continues it', end(9, A), end(9, A), undefined, null],
    ['further on continues it', end(9, A), end(12, B), batch(9, A), null],
    ['continues an empty lane, whatever it is', end(0, FIRST_HEAD), end(5, B), undefined, null],
    [
      'of an empty lane continues an empty one',
      end(0, FIRST_HEAD),
      end(0, FIRST_HEAD),
      undefined,
      null,
    ],
    [
      'that is lower has lost the positions between',
      end(1204, A),
      end(1180, B),
      undefined,
      [1204, 1180],
    ],
    ['of an empty lane has lost all positions', end(3, A), end(0, FIRST_HEAD), undefined, [3, 0]],
    ['with another head has lost the known position', end(9, A), end(9, B), undefined, [9, null]],
    ['further on over another head has lost it too', end(9, A), end(12, B), batch(9, B), [9, null]],
    [
      'further on over a longer batch has lost it too',
      end(9, A),
      end(12, B),
      batch(10, B),
      [9, null],
    ],
    ['further on without any batch has lost it too', end(9, A), end(12, B), undefined, [9, null]],
  ];

  test.each(table)('%s', (_name, known, now, atKnown, lost) => {
    const expected = lost && { lane: 17, from: lost[0], to: lost[1] };
    expect(lostPositions(known, now, atKnown)).toEqual(expected);
  });
});

describe('a log', () => {
  it('recognizes a position that it holds and one that it went back behind', async () => {
    const log = new MemoryEventLog();
    const account = TestAccount.inLane(5);
    await appendAll(log, [account.many(2)]);
    const goBack = log.mark();
    const kept = await endOf(log, 5);
    await appendAll(log, [account.many(3)]);
    const lost = await endOf(log, 5);
    expect(await findLost(log, kept, lost)).toBeNull();
    goBack();
    expect(await findLost(log, lost, await endOf(log, 5))).toEqual({ lane: 5, from: 5, to: 2 });
    await appendAll(log, [TestAccount.inLane(5).many(4)]);
    const now = await endOf(log, 5);
    expect(await findLost(log, kept, now)).toBeNull();
    expect(await findLost(log, lost, now)).toEqual({ lane: 5, from: 5, to: null });
    expect(await log.findCalls([{ lane: 5, callId: (await callsOf(log))[0] ?? '' }])).toHaveLength(
      1,
    );
  });
});

async function callsOf(log: MemoryEventLog): Promise<string[]> {
  return (await log.read(5, 0, 100)).flatMap(({ callId }) => callId ?? []);
}
