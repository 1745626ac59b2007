import type { KeyRecord } from '#account/key-directory.js';
import { KeyCache } from './key-cache.js';

const RECORD: KeyRecord = {
  accountId: 'account',
  apiKey: 1,
  keyId: 'key',
  scopes: ['data'],
  expiresAt: null,
  revoked: false,
  suspended: false,
  test: false,
  testClock: null,
  rateLimit: null,
};

/** A directory whose look-ups end when the test says so. */
class SlowDirectory {
  readonly #waiting: (() => void)[] = [];
  lookUps = 0;
  record: KeyRecord | undefined = RECORD;

  find(): Promise<KeyRecord | undefined> {
    this.lookUps += 1;
    const { record } = this;
    return new Promise((resolve) => this.#waiting.push(() => resolve(record)));
  }

  answer(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

function setUp(entriesMax?: number) {
  const time = { now: 0 };
  const directory = new SlowDirectory();
  const cache = new KeyCache(directory, () => time.now, entriesMax);
  const found = async (hash: string): Promise<KeyRecord | undefined> => {
    const finding = cache.find(hash);
    directory.answer();
    return finding;
  };
  return { time, directory, cache, found };
}

describe('the cache of keys', () => {
  it('remembers a key for a second and not longer', async () => {
    const { time, cache, found } = setUp();
    await found('a');
    time.now = 999;
    expect(cache.remembered('a')).toEqual(RECORD);
    time.now = 1000;
    expect(cache.remembered('a')).toBeUndefined();
  });

  it('asks once for all who ask at the same time', async () => {
    const { directory, cache } = setUp();
    const asking = Promise.all([cache.find('a'), cache.find('a'), cache.find('a')]);
    directory.answer();
    expect(await asking).toEqual([RECORD, RECORD, RECORD]);
    expect(directory.lookUps).toBe(1);
  });

  it('remembers for five seconds that a key is unknown, and of a key that it is one', async () => {
    const { time, directory, cache, found } = setUp();
    await found('b');
    directory.record = undefined;
    expect(await found('a')).toBeUndefined();
    time.now = 4_999;
    expect([cache.isUnknown('a'), cache.isKnown('a')]).toEqual([true, false]);
    expect([cache.isUnknown('b'), cache.isKnown('b')]).toEqual([false, true]);
    time.now = 5_000;
    expect(cache.isUnknown('a')).toBe(false);
    directory.record = RECORD;
    expect(await found('a')).toEqual(RECORD);
    cache.forget('a');
    expect([cache.isKnown('a'), cache.remembered('a')]).toEqual([false, undefined]);
  });

  it('does not share an older look-up of an account on a test clock, whose time moves by command', async () => {
    const { directory, cache } = setUp();
    directory.record = { ...RECORD, testClock: 1 };
    const first = cache.find('a');
    const second = cache.find('a');
    directory.record = { ...RECORD, testClock: 2 };
    directory.answer();
    expect((await first)?.testClock).toBe(1);
    // The second look-up starts only once the first has shown that the account has a test clock.
    await new Promise(setImmediate);
    directory.answer();
    expect((await second)?.testClock).toBe(2);
  });

  it('passes a failed look-up on and tries again', async () => {
    const { time } = setUp();
    let lookUps = 0;
    const cache = new KeyCache(
      {
        find: async () => {
          lookUps += 1;
          if (lookUps === 1) throw new Error('away');
          return RECORD;
        },
      },
      () => time.now,
    );
    await expect(cache.find('a')).rejects.toThrow('away');
    expect(await cache.find('a')).toEqual(RECORD);
  });

  it('holds no more keys than it may', async () => {
    const { cache, found } = setUp(2);
    await found('a');
    await found('b');
    await found('c');
    expect(cache.remembered('a')).toBeUndefined();
    expect(cache.remembered('b')).toEqual(RECORD);
    expect(cache.remembered('c')).toEqual(RECORD);
  });
});
