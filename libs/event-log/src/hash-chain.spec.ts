import fc from 'fast-check';
import { FIRST_HEAD, hashBatch, hashEvent, type HashedEvent } from './hash-chain.js';

const ACCOUNT = '0198a6f0-0000-7000-8000-0000000000ff';

const opened: HashedEvent = {
  accountId: ACCOUNT,
  accountVersion: 1,
  callId: null,
  type: 'AccountOpened',
  at: 1_793_491_200_000,
  data: '{"currency":"EUR"}',
};
const called: HashedEvent = {
  accountId: ACCOUNT,
  accountVersion: 2,
  callId: '0198a6f0-1111-7000-8000-00000000abcd',
  type: 'CallMade',
  at: 1_793_491_200_123,
  data: '{ "key": "/v1/x",\n "label":"Glänzend 💄 \\u00e9" }',
};
const extreme: HashedEvent = {
  accountId: '00000000-0000-0000-0000-000000000000',
  accountVersion: Number.MAX_SAFE_INTEGER,
  callId: null,
  type: 'X',
  at: -62_135_596_800_000,
  data: 'null',
};
const long: HashedEvent = {
  ...extreme,
  accountVersion: 1,
  type: 'Big',
  at: 0,
  data: `{"a":"${'é'.repeat(5_000)}"}`,
};

// Computed with another language's SHA-256 from the rule in the docstring.
const OPENED = 'f05558061fa8302b5527fafb5c37daf38619fd3a27c8f61549e61d7cf5dba1f5';
const CALLED = 'd1c479650e7cf7d24cbfd35d9d82cae99b42bd3d61aa02b805d1504b97a2b18c';
const EXTREME = 'feb84c2ad16a8f2420b20c9c98c3582d911a538c41bb701861b7e558867f80f7';
const LONG = '042566da25d5612d932922029fe3bf1e21c59c753333014184cf7311b4d22854';
const BATCH = '727eb5ff017ae6a26e652abb55788a53bbcf4495b68d5c549340b7aabf933960';

describe('fixed vectors, which are for ever', () => {
  test.each([
    ['a first event without a call id', FIRST_HEAD, opened, OPENED],
    ['a chained event with text beyond ASCII', OPENED, called, CALLED],
    ['the ends of the numbers', FIRST_HEAD, extreme, EXTREME],
    ['data larger than the buffer kept for it', FIRST_HEAD, long, LONG],
    ['a short event after a long one', FIRST_HEAD, opened, OPENED],
  ])('%s', (_name, before, event, expected) => {
    expect(hashEvent(before, event)).toBe(expected);
  });

  test('a batch of two events', () => {
    const hashes = [OPENED, CALLED];
    expect(hashBatch(FIRST_HEAD, hashes)).toBe(BATCH);
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const event: fc.Arbitrary<HashedEvent> = fc.record({
  accountId: fc.uuid(),
  accountVersion: fc.integer({ min: 1 }),
  callId: fc.option(fc.uuid()),
  type: text,
  at: fc.integer(),
  data: text,
});

function head(events: readonly HashedEvent[]): string {
  return events.reduce(hashEvent, FIRST_HEAD);
}

test('changing any one field of any event changes the head', () => {
  const changed = fc.record(
    {
      accountId: fc.uuid(),
      accountVersion: fc.integer({ min: 1 }),
      callId: fc.option(fc.uuid()),
      type: text,
      at: fc.integer(),
      data: text,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(event, { minLength: 1 }), fc.nat(), changed, (events, at, change) => {
      const index = at % events.length;
      const before = events[index] ?? opened;
      const after = { ...before, ...change };
      const same = JSON.stringify(after) === JSON.stringify(before);
      expect(head(events.with(index, after)) === head(events)).toBe(same);
    }),
  );
});

test('dropping any event changes the head', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1 }), fc.nat(), (events, at) => {
      expect(head(events.toSpliced(at % events.length, 1))).not.toBe(head(events));
    }),
  );
});

test('swapping two events that differ changes the head', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 2 }), fc.nat(), (events, at) => {
      const index = at % (events.length - 1);
      const [first, second] = events.slice(index, index + 2);
      if (first === undefined || second === undefined) throw new Error('two events are needed');
      fc.pre(JSON.stringify(first) !== JSON.stringify(second));
      expect(head(events.toSpliced(index, 2, second, first))).not.toBe(head(events));
    }),
  );
});

test('moving a character from one field to the next changes the hash', () => {
  const ab = { ...opened, type: 'ab', data: 'c' };
  const a = { ...opened, type: 'a', data: 'bc' };
  expect(head([ab])).not.toBe(head([a]));
});

test('dropping, adding or swapping a hash changes the hash of a batch', () => {
  const [one, two] = [OPENED, CALLED];
  const batches = [[one, two], [two, one], [one], [two], [one, two, two]];
  const hashes = batches.map((batch) => hashBatch(FIRST_HEAD, batch));
  expect(new Set(hashes).size).toBe(batches.length);
});

test('a head that has not 64 hex digits is a bug', () => {
  expect(() => hashEvent('00'.repeat(31), opened)).toThrow(RangeError);
  expect(() => hashEvent('zz'.repeat(32), opened)).toThrow(RangeError);
  expect(() => hashBatch(FIRST_HEAD, ['00'.repeat(33)])).toThrow(RangeError);
});
