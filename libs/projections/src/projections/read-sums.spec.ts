import type { CallMade } from '#account/calls.js';
import { DAY, terms, TUESDAY } from '#account/scenario.suite.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { readEvent } from '../snapshots/account-tail.js';
import { ReadSums } from './read-sums.js';

const ACCOUNT = '0197c000-0000-7000-8000-000000000001';
const EVERY = 4;

interface Chained {
  readonly event: StoredEvent;
  readonly before: string;
  readonly after: string;
}

/** Calls of an account that cost 10 and what is named, chained after those given. */
function calls(costs: readonly number[], chain: readonly Chained[] = []): Chained[] {
  const made = [...chain];
  for (const dataCost of costs) {
    const data: Pick<CallMade, 'key' | 'kind' | 'rule' | 'api_key' | 'cost'> = {
      key: '/v1/2026w47/cat1/trends/top5/popindex/us/beauty',
      kind: 'repeat',
      rule: 'top5',
      api_key: 1,
      cost: [10, dataCost],
    };
    const event = {
      lane: 1,
      position: made.length + 1,
      accountId: ACCOUNT,
      accountVersion: made.length + 1,
      callId: null,
      type: 'CallMade',
      at: TUESDAY + made.length,
      data: JSON.stringify(data),
    };
    const before = made.at(-1)?.after ?? FIRST_HEAD;
    made.push({ event, before, after: hashEvent(before, event) });
  }
  return made;
}

/** The same, and then the window ends. */
function closed(chain: readonly Chained[]): Chained[] {
  const before = chain.at(-1)?.after ?? FIRST_HEAD;
  const event = {
    lane: 1,
    position: chain.length + 1,
    accountId: ACCOUNT,
    accountVersion: chain.length + 1,
    callId: null,
    type: 'WindowClosed',
    at: TUESDAY + 7 * DAY,
    data: JSON.stringify({ window: '2026w47', calls: chain.length, base_calls: 0, credits: 0 }),
  };
  return [...chain, { event, before, after: hashEvent(before, event) }];
}

let read: ReadSums;

beforeEach(() => {
  read = new ReadSums(terms.calendar, EVERY);
});

function add(chain: readonly Chained[]): void {
  for (const { event, before, after } of chain) read.add(event, readEvent(event), before, after);
}

/** Calls and credits of what is known after a version up to an event. */
function known(after: number, last: Chained | undefined): [number, number][] | undefined {
  const sums = last && read.of(after, last.event);
  return sums && [...sums.keys].map(({ calls: n, credits }) => [n, credits]);
}

test('sums end with every nth event of an account, and the next ones begin there', () => {
  const chain = calls([1, 2, 3, 4, 5, 6, 7, 8]);
  add(chain.slice(0, 7));
  expect(known(0, chain[3])).toEqual([[4, 50]]);
  add(chain.slice(7));
  expect(known(4, chain[7])).toEqual([[4, 66]]);
  expect(known(0, chain[3])).toBeUndefined();
});

test('sums end with the window, however few calls it saw', () => {
  const chain = closed(calls([1, 2]));
  add(chain);
  expect(known(0, chain[2])).toEqual([[2, 23]]);
});

test('events that are read again are not added again', () => {
  const chain = calls([1, 2, 3, 4, 5, 6, 7, 8]);
  add(chain.slice(0, 3));
  add(chain.slice(1, 3));
  add(chain.slice(1, 6));
  add(chain.slice(4));
  expect(known(4, chain[7])).toEqual([[4, 66]]);
});

test('of events that were not read from the first one on there are no sums', () => {
  const chain = calls([1, 2, 3, 4]);
  add(chain.slice(1));
  expect(known(0, chain[3])).toBeUndefined();
});

test('of a log that went on otherwise there are no sums, until another span was read whole', () => {
  const lost = calls([1, 2, 3, 4, 5, 6]);
  add(lost);
  const shared = lost.slice(0, 3);
  const chain = calls([9, 9, 9, 9, 9, 9, 9, 9, 9], shared);
  expect(known(0, chain[3])).toBeUndefined();
  add(chain.slice(3));
  expect(known(4, chain[7])).toBeUndefined();
  expect(known(8, chain[11])).toEqual([[4, 76]]);
});
