import {
  callAt,
  changeAccount,
  grantCredits,
  issueApiKey,
  revokeApiKey,
  TUESDAY,
} from '#account/scenario.suite.js';
import { AccountDamagedError } from '#account/charging.js';
import { laneOf } from '#event-log/event-log.js';
import { follow, unopened } from '../snapshots/account-tail.js';
import { ledgerScene, type Writer } from './ledger-scene.suite.js';

const scene = ledgerScene();

const NOBODY = '0197c000-0000-7000-8000-ffffffffffff';

function opened(count: number): Promise<Writer[]> {
  return Promise.all(Array.from({ length: count }, () => scene.writer().open()));
}

test('of many accounts that are asked for at once each is answered as it is', async () => {
  const writers = await opened(40);
  for (const [index, writer] of writers.entries()) {
    if (index % 3 === 0) await writer.write(TUESDAY, callAt(TUESDAY));
    if (index % 2 === 0) await scene.project(writer.id);
  }
  const reads = scene.reads(TUESDAY);
  const views = await Promise.all(writers.map(({ id }) => reads.account(id)));
  expect(views.map((view) => [view?.id, view?.balance, view?.version])).toEqual(
    writers.map(({ id, account: { state } }) => [id, state.balance, state.version]),
  );
});

test('an account that was never opened is none, beside those that were', async () => {
  const [writer] = await opened(1);
  const reads = scene.reads(TUESDAY);
  const [known, unknown] = await Promise.all([
    reads.account(writer?.id ?? ''),
    reads.account(NOBODY),
  ]);
  expect(known?.id).toBe(writer?.id);
  expect(unknown).toBeUndefined();
});

test('a damaged account fails for those alone who have asked for it', async () => {
  const [sound, damaged] = await opened(2);
  if (sound === undefined || damaged === undefined) throw new Error('There are no accounts.');
  await scene.pool.query(
    `insert into damaged_account values ('ledger', $1, $2, 1, 1, 'A fault.')`,
    [laneOf(damaged.id), damaged.id],
  );
  const reads = scene.reads(TUESDAY);
  const asked = [sound, damaged, sound].map(({ id }) => reads.account(id));
  const [first, second, third] = await Promise.allSettled(asked);
  expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(second).toMatchObject({ reason: expect.any(AccountDamagedError) as unknown });
});

test('what was in the log before an account was asked for is always in the answer', async () => {
  const [writer] = await opened(1);
  if (writer === undefined) throw new Error('There is no account.');
  const reads = scene.reads(TUESDAY);
  const asked: Promise<void>[] = [];
  for (let call = 0; call < 50; call += 1) {
    await writer.write(TUESDAY, callAt(TUESDAY));
    const { version } = writer.account.state;
    const look = async (): Promise<void> => {
      const view = await reads.account(writer.id);
      expect(view?.version).toBeGreaterThanOrEqual(version);
    };
    asked.push(look(), look());
  }
  await Promise.all(asked);
});

test('an account that was read before is answered with all that was written and projected since', async () => {
  const [writer] = await opened(1);
  if (writer === undefined) throw new Error('There is no account.');
  const reads = scene.reads(TUESDAY);
  const steps = ['call', 'look', 'grant', 'project', 'look', 'look', 'call', 'call', 'look'];
  for (const step of [...steps, 'project', ...steps, 'change', 'look']) {
    if (step === 'call') await writer.write(TUESDAY, callAt(TUESDAY));
    if (step === 'grant') await writer.write(TUESDAY, grantCredits(500));
    if (step === 'change') await writer.write(TUESDAY, changeAccount({ overdraft: 5 }));
    if (step === 'project') await scene.project(writer.id);
    if (step !== 'look') continue;
    // A reader that has read nothing before folds all events since the row.
    const whole = await scene.reads(TUESDAY).account(writer.id);
    expect(await reads.account(writer.id)).toEqual(whole);
    expect(whole?.version).toBe(writer.account.state.version);
  }
});

test('an account whose last known event the log no longer has is read from its row on', async () => {
  const [writer] = await opened(1);
  if (writer === undefined) throw new Error('There is no account.');
  const reads = scene.reads(TUESDAY);
  for (let call = 0; call < 3; call += 1) await writer.write(TUESDAY, callAt(TUESDAY));
  const before = await reads.account(writer.id);
  const { version } = writer.account.state;
  await scene.pool.query(
    `update event set data = (data::jsonb || '{"cost": [1000, 0]}')::json
      where account_id = $1 and account_version = $2`,
    [writer.id, version],
  );
  const history = (await writer.history()).reduce(follow, unopened);
  const after = await reads.account(writer.id);
  expect(after?.balance).toBe(history.state.balance);
  expect(after?.balance).not.toBe(before?.balance);
});

test('an account is read with an API key of it, as both are when they are asked for', async () => {
  const [writer] = await opened(1);
  if (writer === undefined) throw new Error('There is no account.');
  const { id } = writer;
  const reads = scene.reads(TUESDAY);
  const keyId = '0197c000-0000-7000-9000-000000000001';
  await writer.write(TUESDAY, issueApiKey({ keyId }));
  const before = await reads.accountAndKey(id, keyId);
  expect(before?.key).toMatchObject({ accountId: id, keyId, expiresAt: null });
  await writer.write(TUESDAY, revokeApiKey(keyId));
  const after = await reads.accountAndKey(id, keyId);
  expect(after).toMatchObject({ view: { version: (before?.view.version ?? 0) + 1 } });
  expect(after?.key).toBeUndefined();
  expect(await reads.accountAndKey(NOBODY, keyId)).toBeUndefined();
});
