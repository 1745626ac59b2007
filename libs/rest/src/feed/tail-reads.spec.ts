import { callAt, TUESDAY } from '#account/scenario.suite.js';
import { AwayScene } from '#projections/reads/away-scene.suite.js';
import { TailReads } from './tail-reads.js';

let stage: AwayScene | null;

beforeAll(async () => {
  stage = await AwayScene.open();
});

afterAll(() => stage?.close());

test('pages hear what is new of their accounts beside one whose lane is away, and of that one once it is back', async () => {
  await stage?.withPool(async (pool) => {
    const { behind, beside } = stage as AwayScene;
    const sent = [behind, beside].map(({ id: accountId, account: { state } }) => {
      return { accountId, version: state.version };
    });
    for (const writer of [behind, beside]) await writer.write(TUESDAY, callAt(TUESDAY));
    const tails = new TailReads(pool);
    const news = async () => {
      const events = await tails.after(sent, 10);
      return [behind, beside].map(({ id }) => events.get(id)?.map(({ type }) => type));
    };
    await stage?.leave();
    expect(await news()).toEqual([[], ['CallMade']]);
    expect(await tails.beyond(sent)).toEqual([]);
  });
  await stage?.withPool(async (pool) => {
    const { behind } = stage as AwayScene;
    const version = behind.account.state.version - 1;
    const news = await new TailReads(pool).after([{ accountId: behind.id, version }], 10);
    expect(news.get(behind.id)?.map(({ type }) => type)).toEqual(['CallMade']);
  });
});
