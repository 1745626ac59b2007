import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commandIdOf } from '#deciding/command-id.js';
import { newApiKey } from '../api-keys/new-api-key.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { PortalStage } from '../../../../test/setup/portal-stage.js';

const PATH = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const CALL = '0197c000-0000-7000-8000-00000000ca11';
const SOLD = {
  'content-type': 'application/json',
  'call-id': CALL,
  'credits-used': '35',
  'credits-kind': 'base',
  'credits-window': '2026w48',
  'x-internal': 'of no page',
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const sell: Handler = (_request, response) => {
  response.writeHead(200, SOLD).end('{"key":"a key","credits_used":35,"data":{}}');
};

function refuse(status: number, code: string, members: object = {}): Handler {
  const body = JSON.stringify({ type: 'x', code, title: 't', status, detail: 'No.', ...members });
  return (_request, response) => {
    const type = 'application/problem+json; charset=utf-8';
    response.writeHead(status, { 'content-type': type, 'retry-after': '7' }).end(body);
  };
}

let api: Server;
let asked: IncomingMessage['headers'][];
let handler: Handler;
let stage: PortalStage;
let account: string;
let cookie: string;

beforeAll(async () => {
  api = createServer((request, response) => {
    asked.push({ ...request.headers, ':path': request.url });
    handler(request, response);
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  stage = await PortalStage.open({ apiUrl: `http://127.0.0.1:${port}` });
});
beforeEach(async () => {
  asked = [];
  handler = sell;
  account = await stage.admin.account();
  cookie = await stage.signIn(account);
});
afterAll(async () => {
  await stage.close();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

async function portalKeys(): Promise<Record<string, unknown>[]> {
  const keys = itemsOf(await stage.get('/api-keys', cookie));
  return keys.filter(({ label }) => label === 'Portal');
}

describe('a pull', () => {
  it('is a call of the public API with a key that the account gets for it', async () => {
    const { status, json } = await stage.post('/pulls', cookie, { path: PATH, credits_max: 50 });
    expect([status, json]).toEqual([
      200,
      {
        status: 200,
        call_id: CALL,
        headers: {
          'Credits-Used': '35',
          'Credits-Kind': 'base',
          'Credits-Window': '2026w48',
        },
        body: { key: 'a key', credits_used: 35, data: {} },
      },
    ]);
    const [sent] = asked;
    expect(sent).toMatchObject({ ':path': PATH, 'credits-max': '50' });
    const [key] = await portalKeys();
    expect(sent?.authorization).toMatch(/^Bearer pix_live_[0-9A-Za-z]{36}$/);
    expect(sent?.authorization?.endsWith(String(key?.['last_four']))).toBe(true);
    expect(key?.['scopes']).toEqual(['data']);
  });

  it('makes one key, however many are the first at once', async () => {
    const pulls = [1, 2, 3].map(() => stage.post('/pulls', cookie, { path: PATH }));
    const answers = await Promise.all(pulls);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await portalKeys()).toHaveLength(1);
    expect(new Set(asked.map(({ authorization }) => authorization)).size).toBe(1);
  });

  it('passes its idempotency key on, and has one of its own otherwise', async () => {
    await stage.post('/pulls', cookie, { path: PATH }, 'pull-1');
    await stage.post('/pulls', cookie, { path: PATH });
    const [first, second] = asked.map((headers) => headers['idempotency-key']);
    expect(first).toBe('pull-1');
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is asked once more under the same idempotency key when the answer breaks off', async () => {
    handler = (request, response) => {
      if (asked.length > 1) sell(request, response);
      else request.socket.destroy();
    };
    const { status } = await stage.post('/pulls', cookie, { path: PATH });
    expect([status, asked.length]).toEqual([200, 2]);
    expect(asked[0]?.['idempotency-key']).toBe(asked[1]?.['idempotency-key']);
  });

  it('is 503 when the API does not answer', async () => {
    handler = (request) => void request.socket.destroy();
    const { status, json, headers } = await stage.post('/pulls', cookie, { path: PATH });
    expect([status, json['code']]).toEqual([503, 'accounting-unavailable']);
    expect(headers['retry-after']).toBe('1');
  });

  const credits = { required_credits: 35, balance: 0, available_credits: 0, kind: 'base' };
  it.each([
    [402, 'out-of-credits', credits],
    [403, 'account-suspended', {}],
    [404, 'unknown-item', {}],
    [404, 'no-data', {}],
    [409, 'idempotency-key-used', { call_id: CALL }],
    [412, 'price-above-maximum', { required_credits: 35, max_credits: 10, kind: 'base' }],
    [422, 'idempotency-conflict', { call_id: CALL }],
    [429, 'rate-limited', {}],
  ])('is refused as the API refuses it: %i %s', async (status, code, members) => {
    handler = refuse(status, code, members);
    const answer = await stage.post('/pulls', cookie, { path: PATH });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ code, detail: 'No.', ...members });
    expect(answer.headers['retry-after']).toBe('7');
  });

  it('takes what is no answer of the API for an outage', async () => {
    handler = (_request, response) => void response.writeHead(502).end('<html>');
    const { status } = await stage.post('/pulls', cookie, { path: PATH });
    expect(status).toBe(503);
  });

  it.each(['/v1/account', '/v1/account/calls', '/v1/latest', '/v1/../healthz'])(
    'is none where no metered resource is: %s',
    async (path) => {
      const { status } = await stage.post('/pulls', cookie, { path });
      expect([status, asked]).toEqual([404, []]);
    },
  );

  it.each(['', 'v1/x', 'http://evil.example/v1/x', '/v1/a b', '/v1/a\r\nhost: b', '/healthz'])(
    'is refused for what is no path of the API: %j',
    async (path) => {
      const { status, json } = await stage.post('/pulls', cookie, { path });
      expect([status, json['code'], asked]).toEqual([400, 'invalid-body', []]);
    },
  );
});

describe('the key of the portal', () => {
  it('is reported as revoked once, and replaced at the next pull', async () => {
    await stage.post('/pulls', cookie, { path: PATH });
    const [key] = await portalKeys();
    const address = `/portal/v1/api-keys/${String(key?.['id'])}`;
    expect((await stage.ask('DELETE', address, { cookie })).status).toBe(204);
    const refused = await stage.post('/pulls', cookie, { path: PATH });
    expect([refused.status, refused.json['detail']]).toEqual([
      409,
      expect.stringContaining('was revoked'),
    ]);
    expect((await stage.post('/pulls', cookie, { path: PATH })).status).toBe(200);
    const statuses = (await portalKeys()).map(({ status }) => status);
    expect(statuses).toEqual(['revoked', 'active']);
  });

  it('that the API does not take does not look like the end of the session', async () => {
    handler = refuse(401, 'invalid-key');
    const { status } = await stage.post('/pulls', cookie, { path: PATH });
    expect(status).toBe(409);
    expect((await stage.get('/session', cookie)).status).toBe(200);
  });

  it('that was kept by a process which ended before it was issued is issued by the next pull', async () => {
    const { key: drawn } = newApiKey(false);
    const { id } = await stage.admin.deliveries.secrets.save(drawn);
    await stage.admin.pool.query(
      'insert into portal_api_key (account_id, key_id, secret_id) values ($1, $2, $3)',
      [account, commandIdOf(account, `portal api key ${id}`), id],
    );
    const pulls = [1, 2].map(() => stage.post('/pulls', cookie, { path: PATH }));
    expect((await Promise.all(pulls)).map(({ status }) => status)).toEqual([200, 200]);
    expect(asked.map(({ authorization }) => authorization)).toEqual(
      Array(2).fill(`Bearer ${drawn}`),
    );
    expect(await portalKeys()).toMatchObject([{ last_four: drawn.slice(-4), status: 'active' }]);
  });

  it('is sealed where it is kept', async () => {
    await stage.post('/pulls', cookie, { path: PATH });
    const secret = asked[0]?.authorization?.replace('Bearer ', '') ?? '';
    const { rows } = await stage.admin.pool.query<{ body: Buffer }>('select body from secret');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ body }) => body.includes(secret))).toBe(false);
  });
});

describe('a quote', () => {
  const quote = async (as: string, url = PATH) =>
    (await stage.post('/quotes', as, { urls: [url] })).json;

  it('is made without an API key, and makes none', async () => {
    const viewer = await stage.signIn(account, 'viewer');
    const quoted = await quote(viewer);
    expect(quoted).toMatchObject({
      items: [{ url: PATH, kind: 'base', problem: { code: 'out-of-credits' } }],
      affordable: false,
    });
    expect(await quote(cookie)).toMatchObject({ total_credits: quoted['total_credits'] });
    expect([asked, await portalKeys()]).toEqual([[], []]);
  });

  it('is that of a test account on its own clock', async () => {
    const testing = await stage.admin.account({ test_clock: '2026-12-08T12:00:00Z' });
    const quoted = await quote(await stage.signIn(testing, 'viewer'));
    expect(quoted).toMatchObject({ items: [{ window: '2026w50' }] });
  });

  it('takes addresses of the API, as the public one or as this server reaches it', async () => {
    const { port } = api.address() as AddressInfo;
    for (const url of ['https://api.example.com', `http://127.0.0.1:${port}`]) {
      expect(await quote(cookie, url + PATH)).toMatchObject({ items: [{ kind: 'base' }] });
    }
    const elsewhere = await quote(cookie, `https://elsewhere.example.com${PATH}`);
    expect(elsewhere).toMatchObject({ items: [{ problem: { code: 'invalid-parameter' } }] });
  });

  it('knows the budget of the key that pulls are made with, for as long as it is in force', async () => {
    await stage.admin.post(`/accounts/${account}/grants`, {
      credits: 100_000,
      kind: 'promotional',
    });
    await stage.post('/pulls', cookie, { path: PATH });
    const [key] = await portalKeys();
    const keyId = String(key?.['id']);
    const budget = {
      period: 'month',
      limit_credits: 1,
      thresholds: [],
      action: 'block',
      api_key_id: keyId,
    };
    expect((await stage.post('/budgets', cookie, budget)).status).toBe(201);
    const viewer = await stage.signIn(account, 'viewer');
    expect(await quote(viewer)).toMatchObject({
      items: [{ problem: { code: 'budget-exhausted' } }],
    });
    await stage.ask('DELETE', `/portal/v1/api-keys/${keyId}`, { cookie });
    expect(await quote(viewer)).toMatchObject({ items: [{ problem: null }], affordable: true });
  });

  it('is refused while the account is suspended', async () => {
    await stage.admin.post(`/accounts/${account}/suspend`, { reason: 'It does not pay.' });
    const { status, json } = await stage.post('/quotes', cookie, { urls: [PATH] });
    expect([status, json['code']]).toEqual([403, 'account-suspended']);
  });

  it('counts as one request of the session for each 20 URLs', async () => {
    const urls = Array<string>(1000).fill('/v1/none');
    const statuses: number[] = [];
    for (let asking = 0; asking < 4; asking += 1) {
      statuses.push((await stage.post('/quotes', cookie, { urls })).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });
});
