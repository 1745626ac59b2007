import { callAt, TUESDAY } from '#account/scenario.suite.js';
import { PostgresKeyDirectory } from '../loading/postgres-key-directory.js';
import { AwayScene } from './away-scene.suite.js';
import type { Writer } from './ledger-scene.suite.js';
import { PostgresAccountReads } from './postgres-account-reads.js';

let stage: AwayScene | null;

beforeAll(async () => {
  stage = await AwayScene.open();
});

afterAll(() => stage?.close());

async function found(directory: PostgresKeyDirectory, { hash }: Writer) {
  const account = await directory.find(hash);
  if (account === undefined) throw new Error('The key was not found.');
  return account;
}

test.each(['fail', 'hang'] as const)(
  'accounts are followed beside one whose lane is away (statements %s), which fails alone',
  async (how) => {
    await stage?.withPool(async (pool) => {
      const { behind, beside } = stage as AwayScene;
      const directory = new PostgresKeyDirectory(pool);
      const known = [await found(directory, behind), await found(directory, beside)];
      await beside.write(TUESDAY, callAt(TUESDAY));
      await stage?.leave(how);
      for (const isKnownToBeAway of [false, true]) {
        const [none, followed] = await directory.follow(known);
        expect([isKnownToBeAway, none]).toEqual([isKnownToBeAway, expect.any(Error)]);
        expect(followed).toBe(known[1]);
      }
    });
  },
);

test('an account is read beside one whose lane is away, which fails for those alone who asked for it', async () => {
  await stage?.withPool(async (pool) => {
    const { scene, behind, beside } = stage as AwayScene;
    const reads = new PostgresAccountReads(pool, scene.calendar, { now: () => TUESDAY });
    await stage?.leave();
    const [view, none] = await Promise.allSettled([
      reads.account(beside.id),
      reads.account(behind.id),
    ]);
    expect(view).toMatchObject({ status: 'fulfilled', value: { id: beside.id } });
    expect(none).toMatchObject({ status: 'rejected', reason: { code: '08006' } });
  });
});
