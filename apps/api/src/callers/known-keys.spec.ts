import fc from 'fast-check';
import type { KeyRecord } from '#account/key-directory.js';
import { KnownKeys } from './known-keys.js';
import { account, SlowDirectory } from './slow-directory.suite.js';

function setUp(keysMax?: number) {
  const time = { now: 0 };
  const directory = new SlowDirectory();
  const keys = new KnownKeys(directory, () => time.now, keysMax);
  /** Lets all that is asked for be answered, also what is asked for because of an answer. */
  const settle = async (): Promise<void> => {
    for (let idle = 0; idle < 2; idle = directory.answer() ? 0 : idle + 1)
      await new Promise(setImmediate);
  };
  const found = async (hash: string): Promise<KeyRecord | undefined> => {
    const finding = keys.find(hash);
    finding.catch(() => undefined);
    await settle();
    return finding;
  };
  return { time, directory, keys, settle, found };
}

describe('what is known of keys', () => {
  it('is answered without waiting, and followed beside once it is a second old', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']));
    await found('a');
    time.now = 999;
    keys.remembered('a');
    await settle();
    expect(directory.asked).toEqual(['find a']);
    directory.put(account('A', ['a'], { suspended: true }));
    time.now = 1_000;
    expect(keys.remembered('a')?.suspended).toBe(false);
    await settle();
    expect(directory.asked).toEqual(['find a', 'follow A']);
    expect(keys.remembered('a')?.suspended).toBe(true);
  });

  it('of an account is followed at once for all its keys, in one question for all accounts', async () => {
    const { time, directory, keys, settle, found } = setUp();
    const ids = ['A', 'B', 'C'];
    const hashesOf = (id: string) => Array.from({ length: 50 }, (_, index) => `${id}${index}`);
    directory.put(...ids.map((id) => account(id, hashesOf(id))));
    for (const id of ids) await found(`${id}0`);
    time.now = 1_500;
    for (const hash of ids.flatMap(hashesOf)) expect(keys.remembered(hash)).toBeDefined();
    await settle();
    for (const hash of ids.flatMap(hashesOf)) expect(keys.remembered(hash)).toBeDefined();
    await settle();
    expect(directory.asked.slice(3)).toEqual(['follow A B C']);
  });

  it('is good for 30 s while the directory is slow or away, which is asked once a second', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']));
    await found('a');
    directory.away = true;
    for (time.now = 1_000; time.now < 30_000; time.now += 100) {
      expect(keys.remembered('a')).toBeDefined();
      // While one question is open there is no other.
      if (time.now % 500 === 0) await settle();
    }
    expect(directory.asked.length).toBeLessThanOrEqual(1 + 29);
    expect(directory.asked.length).toBeGreaterThan(15);
    expect(keys.remembered('a')).toBeUndefined();
    expect(keys.isKnown('a')).toBe(true);
    await expect(found('a')).rejects.toThrow('away');
    directory.away = false;
    expect(await found('a')).toBeDefined();
    expect(keys.remembered('a')).toBeDefined();
  });

  it('stays good beside accounts that cannot be followed, of which one is known no longer than 30 s', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']), account('B', ['b']));
    for (const hash of ['a', 'b']) await found(hash);
    directory.missed.set('B', new Error('away'));
    for (time.now = 1_000; time.now < 60_000; time.now += 500) {
      expect(keys.remembered('a')).toBeDefined();
      expect(keys.remembered('b') !== undefined).toBe(time.now < 30_000);
      await settle();
    }
    await expect(found('b')).rejects.toThrow('away');
    directory.missed.clear();
    expect(await found('b')).toBeDefined();
  });

  it('never comes from a reading that began before it was asked for', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']));
    await found('a');
    time.now = 1_000;
    keys.remembered('a');
    await new Promise(setImmediate);
    // The account is being followed: what is asked for now is no part of that.
    directory.put(account('A', []));
    const asked = Promise.all([keys.find('a'), keys.find('a')]);
    await settle();
    expect(await asked).toEqual([undefined, undefined]);
    expect(directory.asked).toEqual(['find a', 'follow A', 'follow A']);
  });

  it('is of the reading that began last, whichever is answered first', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']));
    await found('a');
    directory.put(account('A', ['a', 'b']));
    const early = keys.find('b');
    time.now = 1;
    directory.put(account('A', ['b']));
    const late = keys.find('a');
    await new Promise(setImmediate);
    directory.answer('last');
    expect(await late).toBeUndefined();
    await settle();
    expect(await early).toBeDefined();
    expect([keys.remembered('a'), keys.isKnown('a'), keys.isKnown('b')]).toEqual([
      undefined,
      false,
      true,
    ]);
  });

  it('of a key that nobody knew is looked up once for all who ask, and again for the later ones', async () => {
    const { directory, keys, settle } = setUp();
    directory.put(account('A', ['a'], { testClock: 1 }));
    const first = keys.find('a');
    const second = keys.find('a');
    directory.put(account('A', ['a'], { testClock: 2 }));
    await settle();
    expect([(await first)?.testClock, (await second)?.testClock]).toEqual([1, 2]);
    expect(directory.asked).toEqual(['find a', 'follow A']);
  });

  it('passes a failed look-up on to all who wait for it, and tries again', async () => {
    const { directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']));
    directory.away = true;
    const asked = Promise.allSettled([keys.find('a'), keys.find('a'), keys.find('a')]);
    await settle();
    expect((await asked).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(directory.asked).toEqual(['find a']);
    directory.away = false;
    expect(await found('a')).toBeDefined();
  });

  it('ends with the key: it is a stranger’s at once, and unknown for five seconds', async () => {
    const { time, directory, keys, found } = setUp();
    directory.put(account('A', ['a', 'b']));
    await found('a');
    directory.put(account('A', ['b']));
    expect(await found('a')).toBeUndefined();
    expect([keys.isKnown('a'), keys.remembered('a'), keys.isUnknown('a')]).toEqual([
      false,
      undefined,
      true,
    ]);
    expect(keys.remembered('b')).toBeDefined();
    time.now = 5_000;
    expect(keys.isUnknown('a')).toBe(false);
  });

  it('is dropped when the log went back, also what is being read', async () => {
    const { time, directory, keys, settle, found } = setUp();
    directory.put(account('A', ['a']), account('B', ['b']));
    await found('a');
    time.now = 1_000;
    keys.remembered('a');
    const finding = keys.find('b');
    await new Promise(setImmediate);
    time.now = 1_001;
    keys.clear();
    await settle();
    expect(await finding).toBeDefined();
    expect(['a', 'b'].map((hash) => keys.isKnown(hash))).toEqual([false, false]);
  });

  it('is found again where the directory cannot follow', async () => {
    const { directory, keys, found } = setUp();
    directory.put(account('A', ['a']));
    await found('a');
    directory.follow = async () => [undefined];
    expect(await found('a')).toBeDefined();
    expect(directory.asked).toEqual(['find a', 'find a']);
    expect(keys.remembered('a')).toBeDefined();
  });

  it('is no more than it may be: who was read least lately goes first', async () => {
    const { time, directory, keys, found } = setUp(4);
    directory.put(account('A', ['a', 'b']), account('B', ['c', 'd']), account('C', ['e']));
    await found('a');
    await found('c');
    time.now = 10;
    await found('a');
    await found('e');
    const known = ['a', 'b', 'c', 'd', 'e'].filter((hash) => keys.isKnown(hash));
    expect(known).toEqual(['a', 'b', 'e']);
  });
});

const STEP = fc.oneof(
  fc.record({ step: fc.constant('ask' as const), hash: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ step: fc.constant('call' as const), hash: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ step: fc.constant('revoke' as const), hash: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ step: fc.constant('pass' as const), ms: fc.constantFrom(1, 400, 1_000, 40_000) }),
  fc.record({ step: fc.constant('answer' as const), which: fc.constantFrom('first', 'last') }),
  fc.record({ step: fc.constant('away' as const), away: fc.boolean() }),
);

it('whatever is revoked while something is read, nobody who asks later is admitted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 60 }), async (steps) => {
      const { time, directory, keys, settle } = setUp(2);
      const open: Record<string, string[]> = { A: ['a', 'b'], B: ['c'] };
      const write = () => {
        for (const [id, hashes] of Object.entries(open)) directory.put(account(id, hashes));
      };
      write();
      const revokedAt = new Map<string, number>();
      const asked: Promise<void>[] = [];
      for (const one of steps) {
        if (one.step === 'ask') {
          const wasRevoked = revokedAt.has(one.hash);
          const answer = keys.find(one.hash).then(
            (record) => expect([wasRevoked, record !== undefined]).not.toEqual([true, true]),
            (error: unknown) => expect(String(error)).toContain('away'),
          );
          asked.push(answer);
        } else if (one.step === 'call') {
          const since = time.now - (revokedAt.get(one.hash) ?? Infinity);
          if (keys.remembered(one.hash)) expect(since).toBeLessThan(30_000);
        } else if (one.step === 'revoke') {
          for (const id of ['A', 'B']) open[id] = open[id]?.filter((h) => h !== one.hash) ?? [];
          if (!revokedAt.has(one.hash)) revokedAt.set(one.hash, time.now);
          write();
        } else if (one.step === 'pass') {
          time.now += one.ms;
          await new Promise(setImmediate);
        } else if (one.step === 'answer') {
          directory.answer(one.which as 'first' | 'last');
          await new Promise(setImmediate);
        } else directory.away = one.away;
      }
      directory.away = false;
      await settle();
      await Promise.all(asked);
      // In the end everybody is seen as it is.
      for (const hash of ['a', 'b', 'c']) {
        time.now += 5_000;
        const finding = keys.find(hash);
        await settle();
        expect((await finding) === undefined).toBe(revokedAt.has(hash));
      }
    }),
    { numRuns: 300 },
  );
});
