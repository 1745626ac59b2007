import fc from 'fast-check';
import { history, opening, run, type History } from '#account/histories.suite.js';
import { keyAccount } from '#account/key-directory.js';
import { type AccountState, initialState } from '#account/state.js';
import { callAt, changeAccount, DAY, issueApiKey, origin } from '#account/scenario.suite.js';
import { openAccount, revokeApiKey, TUESDAY } from '#account/scenario.suite.js';
import { laneOf } from '#event-log/event-log.js';
import { LedgerScene, type Writer } from '../reads/ledger-scene.suite.js';
import {
  afterChanges,
  followedAccount,
  type Change,
  type FollowedAccount,
} from './followed-account.js';
import { PostgresKeyDirectory } from './postgres-key-directory.js';

type Step = History[number][1];

const OF_CALLERS = fc.oneof(
  fc.uuid().map<Step>((keyId) => () => issueApiKey({ keyId, hash: keyId.padEnd(64, '0') })),
  fc.nat(5).map<Step>((which) => (_at, { apiKeys }) => {
    return revokeApiKey(apiKeys[which % (apiKeys.length || 1)]?.id ?? '');
  }),
  fc.nat(5).map<Step>((which) => (at, { apiKeys }) => {
    const keyId = apiKeys[which % (apiKeys.length || 1)]?.id ?? '';
    return { command: 'end-api-key', origin, keyId, expiresAt: at + DAY, wasIssued: true };
  }),
  fc.constantFrom<Step>(
    () => changeAccount({ rateLimit: { perSecond: 7, burst: 9 } }),
    () => changeAccount({ rateLimit: null }),
    (at) => ({ command: 'move-test-clock', origin, now: at + DAY }),
  ),
);

const STEPS = fc
  .tuple(history, fc.array(fc.tuple(fc.nat(DAY), OF_CALLERS), { maxLength: 20 }), fc.nat(60))
  .map(([steps, more, at]): History => [...steps.slice(0, at), ...more, ...steps.slice(at)]);

const UNKNOWN: Change = { account_version: 0, type: '', at: 0, call_id: null, data: '' };

it('whoever follows the changes of an account alone knows its callers as if no call was left out', () => {
  fc.assert(
    fc.property(opening, fc.boolean(), STEPS, fc.nat(80), (account, timed, steps, from) => {
      const changes: Change[] = [];
      let version = 0;
      let loaded: { state: AccountState; last: Change } | undefined;
      let looks = 0;
      const clock = timed ? { test: true, testClock: TUESDAY } : {};
      const state = run({ ...account, ...clock }, steps, ({ decision, after }) => {
        for (const { type, at, data } of decision.events) {
          version += 1;
          const change = { account_version: version, type, at, call_id: null };
          if (type !== 'CallMade') changes.push({ ...change, data: JSON.stringify(data) });
        }
        looks += 1;
        // It is loaded somewhere in between, and followed from there on.
        const last = changes.at(-1) ?? UNKNOWN;
        if (looks > from % (steps.length + 3)) loaded ??= { state: after, last };
      });
      const { state: known, last } = loaded ?? { state: initialState, last: UNKNOWN };
      const further = changes.filter((each) => each.account_version >= last.account_version);
      const followed = afterChanges(followedAccount('A', known, last), further);
      expect(followed).toMatchObject(keyAccount('A', state));
    }),
    { numRuns: 200 },
  );
});

describe('an account that is followed', () => {
  let scene: LedgerScene;
  let directory: PostgresKeyDirectory;
  beforeAll(async () => {
    scene = await LedgerScene.open();
    directory = new PostgresKeyDirectory(scene.pool);
  });
  afterAll(() => scene.close());

  async function found(writer: Writer) {
    const account = await directory.find(writer.hash);
    if (account === undefined) throw new Error('The key was not found.');
    return account;
  }

  async function followed(known: readonly FollowedAccount[]) {
    const accounts = await directory.follow(known);
    return accounts.map((account) => {
      if (account instanceof Error) throw account;
      return account;
    });
  }

  it.each([
    ['with rows that lag', async () => undefined],
    ['with rows up to the end', (id: string) => scene.project(id)],
  ])(
    '%s is the same object after calls, and as it is found again after changes',
    async (_, rows) => {
      const [one, other] = [await scene.writer().open(), await scene.writer().open()];
      const known = [await found(one), await found(other)];
      const hash = other.hash.replace(/^0/, 'e');
      for (const writer of [one, other]) await writer.write(TUESDAY, callAt(TUESDAY));
      await rows(one.id);
      const called = await directory.follow(known);
      expect(called.map((account, index) => account === known[index])).toEqual([true, true]);
      await one.write(TUESDAY, { command: 'suspend-account', origin });
      await one.write(TUESDAY, callAt(TUESDAY)).catch(() => undefined);
      await other.write(TUESDAY, issueApiKey({ keyId: 'key-2', hash }));
      await other.write(TUESDAY, revokeApiKey('key-1'));
      await rows(one.id);
      const changed = await followed(known);
      expect(changed[0]?.keys.get(one.hash)?.suspended).toBe(true);
      expect([...(changed[1]?.keys.keys() ?? [])]).toEqual([hash]);
      expect(changed.map((account) => account?.keys)).toEqual([
        (await found(one)).keys,
        (await directory.find(hash))?.keys,
      ]);
      // From what was followed it goes on.
      await one.write(TUESDAY, { command: 'resume-account', origin });
      const [again] = await followed(changed.flatMap((account) => account ?? []));
      expect(again?.keys.get(one.hash)?.suspended).toBe(false);
    },
  );

  it('has to be found again where the log does not hold its last change', async () => {
    const [lost, other, sound] = [
      await scene.writer().open(),
      await scene.writer().open(),
      await scene.writer().open(),
    ];
    await lost.write(TUESDAY, { command: 'suspend-account', origin });
    await other.write(TUESDAY, { command: 'suspend-account', origin });
    const known = [await found(lost), await found(other), await found(sound)];
    const at = 'where lane = $1 and account_id = $2 and account_version = $3';
    const key = (writer: Writer) => [laneOf(writer.id), writer.id, writer.account.state.version];
    await scene.pool.query(`delete from event ${at}`, key(lost));
    await scene.pool.query(`update event set type = 'AccountResumed' ${at}`, key(other));
    expect(await directory.follow(known)).toEqual([undefined, undefined, known[2]]);
  });

  it('has to be found again where a change cannot be applied, and others are followed', async () => {
    const [damaged, sound] = [await scene.writer().open(), await scene.writer().open()];
    const known = [await found(damaged), await found(sound)];
    await damaged.write(TUESDAY, { command: 'suspend-account', origin });
    await scene.pool.query(
      `update event set type = 'Nonsense' where account_id = $1 and type = 'AccountSuspended'`,
      [damaged.id],
    );
    expect(await directory.follow(known)).toEqual([undefined, known[1]]);
  });

  it('is followed among more accounts than fit into one statement, each in its place', async () => {
    const writer = scene.writer();
    await writer.write(TUESDAY, openAccount());
    await writer.write(TUESDAY, issueApiKey({ hash: writer.hash }));
    const one = await found(writer);
    const absent = { ...one, accountId: '0197c000-0000-7000-8000-ffffffffffff' };
    const many = Array.from({ length: 1_201 }, (_, index) => (index % 600 === 0 ? one : absent));
    const followed = await directory.follow(many);
    expect(followed.map((account) => account === one)).toEqual(many.map((each) => each === one));
  });
});
