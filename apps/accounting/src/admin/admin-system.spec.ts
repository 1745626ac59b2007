import { TUESDAY } from '#account/scenario.suite.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RELEASE_PUBLISHED, type ReleasePublished } from '#popularity/release-events.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { AdminStage, itemsOf } from './admin-stage.suite.js';

let stage: AdminStage;

beforeEach(async () => {
  stage = await AdminStage.open();
});

afterEach(() => stage.close());

function released(window: string): ReleasePublished {
  const counts = { categories: 4, brands: 3, relations: 2, volumes: 1 };
  return { release: window, window, through: '2026-10-01', sha256: 'ab', load: 1, ...counts };
}

describe('the list of releases', () => {
  it('is what the log says, oldest first, also of those just published', async () => {
    expect(itemsOf(await stage.get('/releases'))).toEqual([]);
    const stream = new SystemStream(stage.log);
    for (const window of ['2026w47', '2026w48', '2026w49']) {
      await stream.append(() => ({
        callId: null,
        type: RELEASE_PUBLISHED,
        at: TUESDAY,
        data: released(window),
      }));
    }
    const first = await stage.get('/releases?limit=2');
    expect(itemsOf(first)[0]).toEqual({
      release: '2026w47',
      window: '2026w47',
      through: '2026-10-01',
      sha256: 'ab',
      published_at: '2026-11-24T09:00:00.000Z',
      categories: 4,
      brands: 3,
      relations: 2,
      volumes: 1,
    });
    const rest = await stage.get(`/releases?after=${String(first.json['next'])}`);
    const windows = [first, rest].flatMap(itemsOf).map(({ window }) => window);
    expect(windows).toEqual(['2026w47', '2026w48', '2026w49']);
    expect(rest.json['next']).toBeNull();
  });
});

describe('the list of projections', () => {
  it('says what each is doing and how far it is behind', async () => {
    await stage.account();
    await waitFor('the projections', async () =>
      itemsOf(await stage.get('/projections')).every(({ lag }) => lag === 0),
    );
    const running = { version: 1, status: 'running', lag: 0, error: null };
    expect((await stage.get('/projections')).json).toEqual({
      items: [
        { name: 'ledger', ...running },
        { name: 'windows', ...running },
      ],
      next: null,
    });
    await stage.projections.stop();
    await stage.account();
    expect(itemsOf(await stage.get('/projections'))).toMatchObject([
      { name: 'ledger', status: 'stopped', lag: 1 },
      { name: 'windows', status: 'stopped', lag: 1 },
    ]);
  });

  it('says what stopped one', async () => {
    await stage.projections.stop();
    await stage.account();
    await stage.pool.query('alter table ledger_account rename to gone');
    stage.projections.start();
    const failed = async (): Promise<boolean> =>
      itemsOf(await stage.get('/projections'))[0]?.['status'] === 'failed';
    await waitFor('the ledger to fail', failed);
    expect(itemsOf(await stage.get('/projections'))[0]).toMatchObject({
      name: 'ledger',
      lag: 1,
      error: expect.stringContaining('ledger_account'),
    });
  });
});
