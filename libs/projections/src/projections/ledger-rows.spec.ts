import { callAt, TUESDAY } from '#account/scenario.suite.js';
import { withClient } from '#database/database.js';
import { LedgerScene, type Writer } from '../reads/ledger-scene.suite.js';
import { loadRows, readSpans } from './ledger-rows.js';

/** A position beyond all that are taken. */
const ASIDE = 1_000_000;

let scene: LedgerScene;
let writer: Writer;

beforeAll(async () => {
  scene = await LedgerScene.open();
  writer = await scene.writer().open();
  for (let calls = 0; calls < 1_300; calls += 1) writer.decide(TUESDAY, callAt(TUESDAY));
  await writer.flush();
});

afterAll(() => scene.close());

test('many events of an account come in rows of so many at most, all of them and in order', async () => {
  const history = await writer.history();
  await withClient(scene.pool, async (client) => {
    const query = jest.spyOn(client, 'query');
    const spans = [...(await loadRows(client, history))];
    expect(await readSpans(client, spans)).toEqual(history);
    const answer: unknown = await query.mock.results.at(-1)?.value;
    const { rows } = answer as { rows: { versions: string | null }[] };
    const sizes = rows.map(({ versions }) => versions?.split(' ').length ?? 0);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512);
    query.mockRestore();
  });
});

test('events that stand in another order than their versions come as they stand', async () => {
  const history = await writer.history();
  const [one, other] = [history[600], history[10]];
  if (one === undefined || other === undefined) throw new Error('There are no events.');
  const swap = async (): Promise<void> => {
    for (const [from, to] of [
      [one.position, ASIDE],
      [other.position, one.position],
      [ASIDE, other.position],
    ]) {
      await scene.pool.query('update event set position = $3 where lane = $1 and position = $2', [
        one.lane,
        from,
        to,
      ]);
    }
  };
  await swap();
  await withClient(scene.pool, async (client) => {
    const spans = [...(await loadRows(client, history))];
    const read = await readSpans(client, spans);
    expect(read.map(({ position }) => position)).toEqual(history.map(({ position }) => position));
    expect(read[10]?.accountVersion).toBe(one.accountVersion);
  });
});
