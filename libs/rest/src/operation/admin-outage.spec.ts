import { createHash, randomUUID } from 'node:crypto';
import { PostgresKeyDirectory } from '#projections/loading/postgres-key-directory.js';
import { TcpProxy } from '../../../../test/setup/tcp-proxy.js';
import { AdminStage, idOf, itemsOf } from '../../../../test/setup/admin-stage.js';

let proxy: TcpProxy;
let stage: AdminStage;
let id: string;

beforeAll(async () => {
  stage = await AdminStage.open(async (url) => {
    proxy = await TcpProxy.start(url);
    return proxy.url;
  });
  // It would use the connections that are to be cut.
  await stage.projections.stop();
  id = await stage.account();
});

afterAll(async () => {
  proxy.setMode('pass');
  await stage.close();
  await proxy.stop();
});

describe('while the database is away', () => {
  afterEach(() => proxy.setMode('pass'));

  it.each([
    ['GET', '', undefined],
    ['GET', '/grants', undefined],
    ['GET', '/api-keys', undefined],
    ['GET', '/calls', undefined],
    ['POST', '/grants', { credits: 1, kind: 'promotional' }],
    ['POST', '/adjustments', { credits: 1, reason: 'x' }],
    ['POST', '/api-keys', { label: 'A' }],
  ] as const)('%s …%s says that it can be tried again', async (method, path, body) => {
    proxy.setMode('refuse');
    const refused = await stage.ask(method, `/admin/v1/accounts/${id}${path}`, { body });
    expect(refused.json).toMatchObject({ status: 503, code: 'accounting-unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    proxy.setMode('pass');
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({
      status: 'active',
      balance: 0,
    });
  });
});

describe('a change that was sent when the database went away', () => {
  it('is answered in time, and can be asked for again', async () => {
    const path = `/accounts/${id}/suspend`;
    const key = randomUUID();
    proxy.setMode('refuse');
    const asked = stage.post(path, {}, key);
    stage.now += 60_000;
    const refused = await asked;
    proxy.setMode('pass');
    expect(['accounting-unavailable', 'outcome-unknown']).toContain(refused.json['code']);
    expect((await stage.post(path, {}, key)).json).toMatchObject({ status: 'suspended' });
  });
});

describe('a connection that is cut at any moment of a change', () => {
  const table = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((pieces) =>
    (['cut-request', 'cut-answer'] as const).map((mode) => ({ mode, pieces })),
  );

  it.each(table)('never makes it twice: $mode after $pieces pieces', async ({ mode, pieces }) => {
    const account = await stage.account();
    const path = `/accounts/${account}/api-keys`;
    const key = randomUUID();
    proxy.setMode(mode, pieces);
    const first = await stage.post(path, { label: 'A' }, key);
    proxy.setMode('pass');
    expect([201, 503, 504]).toContain(first.status);
    const retry = await stage.post(path, { label: 'A' }, key);
    const [only, ...others] = itemsOf(await stage.get(path));
    expect(others).toEqual([]);
    expect(only?.['id']).toBe(idOf(retry));
    const shown = [first, retry].flatMap(({ json }) =>
      'key' in json ? [String(json['key'])] : [],
    );
    for (const secret of shown) {
      const hash = createHash('sha256').update(secret).digest('hex');
      const owner = await new PostgresKeyDirectory(stage.pool).find(hash);
      expect(owner?.accountId).toBe(account);
    }
    if (first.status !== 504) expect(shown).toHaveLength(1);
  });
});
