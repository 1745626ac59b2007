import { callAt, DAY, HOUR, issueApiKey, TUESDAY } from '#account/scenario.suite.js';
import { laneOf } from '#event-log/event-log.js';
import { readKeyUses } from './key-uses.js';
import { ledgerScene, type Writer } from '../reads/ledger-scene.suite.js';

const scene = ledgerScene('Europe/Berlin');

/** An account with four API keys. */
async function account(): Promise<Writer> {
  const writer = await scene.writer().open();
  for (const first of ['b', 'c', 'd']) {
    await writer.write(TUESDAY, issueApiKey({ hash: `${first}${writer.hash.slice(1)}` }));
  }
  return writer;
}

function uses(writer: Writer): Promise<ReadonlyMap<number, number>> {
  const { version } = writer.account.state;
  return readKeyUses(scene.pool, { accountId: writer.id, version }, scene.calendar);
}

/** The last call of the first key on one day, of the second on a later one, of the third now. */
async function used(writer: Writer): Promise<ReadonlyMap<number, number>> {
  const calls = [
    [1, TUESDAY],
    [1, TUESDAY + HOUR],
    [2, TUESDAY + 2 * HOUR],
    [2, TUESDAY + 3 * DAY],
    [3, TUESDAY + 3 * DAY + 1],
  ] as const;
  for (const [apiKey, at] of calls) await writer.write(at, callAt(at, { apiKey }));
  await scene.project(writer.id);
  const now = TUESDAY + 5 * DAY;
  await writer.write(now, callAt(now, { apiKey: 3 }));
  return new Map([
    [1, TUESDAY + HOUR],
    [2, TUESDAY + 3 * DAY],
    [3, now],
  ]);
}

test('each key is shown with its latest call, however long ago that was', async () => {
  const writer = await account();
  expect(await uses(writer)).toEqual(new Map());
  const expected = await used(writer);
  expect(await uses(writer)).toEqual(expected);
  await scene.project(writer.id);
  expect(await uses(writer)).toEqual(expected);
});

test('what the rows lack of an account that they have left as damaged is read from the log', async () => {
  const writer = await account();
  const expected = await used(writer);
  const lane = laneOf(writer.id);
  const [last] = (await writer.history()).slice(-1);
  await scene.pool.query(
    `insert into damaged_account values ('windows', $1, $2, $3, $4, 'A fault.')`,
    [lane, writer.id, last?.position, last?.accountVersion],
  );
  await scene.pool.query(
    `update checkpoint set position = $2 where projection = 'windows' and lane = $1`,
    [lane, last?.position],
  );
  expect(await uses(writer)).toEqual(expected);
});

test('the calls of one account are not those of another', async () => {
  const [one, other] = [await account(), await account()];
  await used(one);
  expect(await uses(other)).toEqual(new Map());
});
