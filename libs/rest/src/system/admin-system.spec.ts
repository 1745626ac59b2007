import { EVERY_EVENT } from '#event-log/every-event.suite.js';
import { NOTHING } from '#event-log/fold.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RELEASE_PUBLISHED, type ReleasePublished } from '#popularity/release-events.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { KeptVerifications } from './kept-verifications.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStageOfEachTest } from '../../../../test/setup/stages.js';

const stage = adminStageOfEachTest();

function released(window: string): ReleasePublished {
  const counts = { categories: 4, brands: 3, relations: 2, volumes: 1 };
  return { release: window, window, through: '2026-10-01', sha256: 'ab', load: 1, ...counts };
}

describe('the list of releases', () => {
  it('is what the log says, oldest first, also of those just published', async () => {
    expect(itemsOf(await stage.get('/releases'))).toEqual([]);
    const stream = new SystemStream(stage.log);
    for (const window of ['2026w47', '2026w48', '2026w49']) {
      await stream.append(NOTHING, () => ({
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
      withdrawn_at: null,
      older_than: null,
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

describe('the withdrawal of a release', () => {
  const publish = async (...windows: readonly string[]): Promise<void> => {
    for (const window of windows) {
      await new SystemStream(stage.log).append(NOTHING, () => ({
        callId: null,
        type: RELEASE_PUBLISHED,
        at: TUESDAY,
        data: released(window),
      }));
    }
  };

  it('takes it back before its window begins, once, and says since when', async () => {
    await publish('2026w47', '2026w49');
    const key = 'withdraw';
    const made = await stage.post('/releases/2026w49/withdraw', { reason: 'Wrong file.' }, key);
    expect([made.status, made.json]).toMatchObject([
      200,
      { release: '2026w49', withdrawn_at: expect.any(String) },
    ]);
    const again = await stage.post('/releases/2026w49/withdraw', { reason: 'Wrong file.' }, key);
    expect([again.status, again.json]).toEqual([200, made.json]);
    expect(itemsOf(await stage.get('/releases'))).toMatchObject([
      { release: '2026w47', withdrawn_at: null },
      { release: '2026w49', withdrawn_at: made.json['withdrawn_at'] },
    ]);
    expect((await stage.post('/releases/2026w49/withdraw', {})).status).toBe(409);
  });

  it('is refused once its window has begun, with what to do', async () => {
    await publish('2026w48');
    const refused = await stage.post('/releases/2026w48/withdraw', {});
    expect([refused.status, refused.json['detail']]).toEqual([
      409,
      expect.stringMatching(/has begun.*Import the right files/),
    ]);
  });
});

describe('the list of projections', () => {
  it('says what each is doing and how far it is behind', async () => {
    await stage.account();
    await waitFor('the projections', async () =>
      itemsOf(await stage.get('/projections')).every(({ lag }) => lag === 0),
    );
    const version = expect.any(Number) as unknown;
    const running = {
      version,
      status: 'running',
      lag: 0,
      error: null,
      rebuild: null,
      damaged_accounts: [],
    };
    expect((await stage.get('/projections')).json).toEqual({
      items: [
        { name: 'ledger', ...running },
        { name: 'windows', ...running },
        { name: 'notifications', ...running },
        { name: 'audit', ...running },
        { name: 'invoices', ...running },
        { name: 'disputes', ...running },
      ],
      next: null,
    });
    await stage.projections.stop();
    await stage.account();
    expect(itemsOf(await stage.get('/projections'))).toMatchObject([
      { name: 'ledger', status: 'stopped', lag: 1 },
      { name: 'windows', status: 'stopped', lag: 1 },
      { name: 'notifications', status: 'stopped', lag: 1 },
      { name: 'audit', status: 'stopped', lag: 1 },
      { name: 'invoices', status: 'stopped', lag: 1 },
      { name: 'disputes', status: 'stopped', lag: 1 },
    ]);
  });

  const becomes = async (name: string, status: string): Promise<object | undefined> => {
    const found = async () =>
      itemsOf(await stage.get('/projections')).find((item) => item['name'] === name);
    await waitFor(`${name} to be ${status}`, async () => (await found())?.['status'] === status);
    return found();
  };

  it('says what one waits for that the database refuses, until it goes on', async () => {
    await stage.projections.stop();
    await stage.account();
    await stage.pool.query('alter table ledger_account rename to gone');
    stage.projections.start();
    expect(await becomes('ledger', 'waiting-for-database')).toMatchObject({
      lag: 1,
      error: expect.stringContaining('ledger_account'),
    });
    await stage.pool.query('alter table gone rename to ledger_account');
    expect(await becomes('ledger', 'running')).toMatchObject({ error: null });
  });

  it('says what stopped one: an event of the system that it cannot apply', async () => {
    await stage.projections.stop();
    const event = { callId: null, type: 'Noted', at: TUESDAY, data: {} };
    await new SystemStream(stage.log).append(NOTHING, () => event);
    await stage.pool.query(`update event set data = 'null'`);
    stage.projections.start();
    expect(await becomes('audit', 'failed')).toMatchObject({
      lag: 1,
      error: expect.stringContaining('null'),
    });
    expect(await becomes('ledger', 'running')).toMatchObject({ error: null });
  });
});

describe('long works on the log', () => {
  it('rebuild a projection, and report their progress', async () => {
    await stage.prepaid();
    await waitFor('all is projected', async () =>
      itemsOf(await stage.get('/projections')).every(({ lag }) => lag === 0),
    );
    const { rowCount: events } = await stage.pool.query('select from event');
    await stage.pool.query(`update ledger_account set head = decode(repeat('00', 32), 'hex')`);
    const begun = await stage.post('/projections/ledger/rebuild');
    expect(begun.status).toBe(202);
    expect(begun.headers['location']).toBe('/admin/v1/projections');
    expect(begun.json).toMatchObject({ status: 'running', stage: 'building', ended_at: null });
    expect((await stage.post('/projections/ledger/rebuild')).json['code']).toBe('conflict');
    const rebuilt = async (): Promise<unknown> =>
      itemsOf(await stage.get('/projections'))[0]?.['rebuild'];
    await waitFor('the rebuild', async () => JSON.stringify(await rebuilt()).includes('done'));
    expect(await rebuilt()).toMatchObject({ status: 'done', error: null });
    // With or without the event of this rebuild: the ledger may pass over it before or after.
    expect([events, (events ?? 0) + 1]).toContain(((await rebuilt()) as { events: number }).events);
    const { rowCount } = await stage.pool.query(
      `select from ledger_account where head = decode(repeat('00', 32), 'hex')`,
    );
    expect(rowCount).toBe(0);
  });

  it('leave an event each, that says who asked for it and why', async () => {
    const started = await stage.post('/projections/windows/rebuild', { reason: 'A test.' }, 'one');
    expect(started.status).toBe(202);
    const events = await stage.stream.read(EVERY_EVENT);
    expect(events.map(({ type }) => type)).toEqual(['RebuildStarted']);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      by: 'owner',
      reason: 'A test.',
      projection: 'windows',
    });
  });

  it('begin once under an idempotency key, and a retry gets the progress', async () => {
    expect((await stage.post('/verify', undefined, 'one')).status).toBe(202);
    const retry = await stage.post('/verify', undefined, 'one');
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([202, 'true']);
    const other = await stage.post('/projections/ledger/rebuild', undefined, 'one');
    expect(other.json['code']).toBe('idempotency-conflict');
    expect(await stage.stream.read(EVERY_EVENT)).toHaveLength(1);
  });

  it('verify the log, and report their findings', async () => {
    expect((await stage.get('/verify')).json['code']).toBe('not-found');
    expect((await stage.get('/verifications')).json).toEqual({ items: [], next: null });
    const id = await stage.prepaid();
    await stage.call(id);
    let runs = 0;
    const report = async (): Promise<Readonly<Record<string, unknown>>> => {
      const begun = await stage.post('/verify');
      expect(begun.status).toBe(202);
      expect(begun.headers['location']).toBe('/admin/v1/verify');
      expect((await stage.post('/verify')).json['code']).toBe('conflict');
      const ended = () => stage.logTools.verifications.state()?.state !== 'running';
      await waitFor('the verification', ended, 25_000);
      const { json } = await stage.get('/verify');
      // Kept a moment after it has ended, and then known to every process.
      runs += 1;
      const kept = () => new KeptVerifications(stage.pool).list();
      await waitFor('the report', async () => (await kept()).length === runs, 5_000);
      expect((await kept()).at(-1)?.body).toEqual(json);
      const listed = itemsOf(await stage.get('/verifications?order=desc'));
      expect([listed.length, listed[0]]).toEqual([runs, json]);
      return json;
    };
    // The account, its key, its grant, the call, and the start of the verification.
    expect(await report()).toMatchObject({
      error: null,
      intact: true,
      lanes: 65,
      events: 5,
      events_total: 5,
    });
    await stage.pool.query(
      `update event set data = replace(data::text, '"rows":7', '"rows":8')::json`,
    );
    const damaged = await report();
    expect(damaged).toMatchObject({ status: 'done', intact: false });
    expect(damaged['checks']).toContainEqual(
      expect.objectContaining({ check: 'chains', differences: 1 }),
    );
  });
});
