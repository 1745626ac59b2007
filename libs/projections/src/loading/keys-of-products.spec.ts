import { allBeauty, callAt, TUESDAY } from '#account/scenario.suite.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { LedgerScene } from '../reads/ledger-scene.suite.js';
import { AccountLoader } from './account-loader.js';

let scene: LedgerScene;

beforeAll(async () => {
  scene = await LedgerScene.open();
});

afterAll(() => scene.close());

it.each(['not yet', 'already'])(
  'an account knows its keys of all products, projected %s',
  async (when) => {
    const writer = await scene.writer().open();
    const cards = ['weather', 'weather-2'].map((product, nth) => {
      return { ...RATE_CARD_1, version: 2 + nth, product, effective_window: '2026w48' };
    });
    const forecast = { product: 'weather', resource: 'forecast', region: 'us' };
    for (const resource of [forecast, allBeauty, { ...forecast, product: 'weather-2' }]) {
      writer.decide(TUESDAY, callAt(TUESDAY, { resource }), [RATE_CARD_1, ...cards]);
    }
    await writer.flush();
    if (when === 'already') await scene.project(writer.id);
    const { accounts } = await new AccountLoader(scene.pool).load([writer.id]);
    expect([...(accounts.get(writer.id)?.state.opened ?? [])].toSorted()).toEqual([
      expect.stringMatching(/^\/v1\/2026w48\//),
      '/weather-2/2026w48/forecast?region=us',
      '/weather/2026w48/forecast?region=us',
    ]);
  },
);
