import { randomUUID } from 'node:crypto';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { Receiver } from '#deliveries/receiver.suite.js';

const URL = 'https://hooks.example/popindex';
const UNKNOWN = '00000000-0000-4000-8000-000000000001';

const stage = adminStage();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(() => receiver.close());

async function webhook(members: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const made = await stage.post('/webhooks', { url: receiver.url(), ...members });
  idOf(made);
  return made.json;
}

async function listed(): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.get('/webhooks?limit=1000'));
}

function remove(id: unknown, key?: string): Promise<Answered> {
  const asked = key === undefined ? {} : { key };
  return stage.ask('DELETE', `/admin/v1/webhooks/${String(id)}`, asked);
}

async function rowsOf(table: string): Promise<number> {
  const { rows } = await stage.pool.query<{ n: number }>(`select count(*) as n from ${table}`);
  return rows[0]?.n ?? 0;
}

async function lane0(): Promise<string[]> {
  return (await stage.log.read(0, 0, 1_000)).map(({ type }) => type);
}

describe('a webhook', () => {
  it('is made with a secret that is shown this once', async () => {
    const made = await stage.post('/webhooks', { url: URL, description: 'For the ledger.' });
    expect(made.status).toBe(201);
    expect(made.headers['location']).toBe(`/admin/v1/webhooks/${String(made.json['id'])}`);
    expect(made.json).toEqual({
      id: expect.any(String),
      url: URL,
      events: null,
      account_id: null,
      description: 'For the ledger.',
      created_at: '2026-11-24T09:00:00.000Z',
      secret_rotated_at: null,
      old_secret_signs_until: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret: _secret, ...shown } = made.json;
    expect((await stage.get(`/webhooks/${String(made.json['id'])}`)).json).toEqual(shown);
    expect(await listed()).toContainEqual(shown);
  });

  it('keeps its secret sealed, and nothing personal in the log', async () => {
    const { secret, id } = await webhook({ description: 'Ada Lovelace, tel. 4711' });
    const { rows } = await stage.pool.query<{ text: string }>(
      `select data::text || '' as text from event where lane = 0
       union all select encode(body, 'escape') from secret`,
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toContain(String(id));
    expect(all).not.toContain(String(secret).slice(6));
    expect(all).not.toContain('Lovelace');
  });

  it('may be for one account and some types', async () => {
    const account = await stage.account();
    const events = ['balance.low', 'invoice.issued'];
    expect(await webhook({ account_id: account.toUpperCase(), events })).toMatchObject({
      account_id: account,
      events,
    });
  });

  it('is removed once, and then it is gone', async () => {
    const { id } = await webhook();
    const before = await lane0();
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(204);
    expect((await lane0()).slice(before.length)).toEqual(['WebhookRemoved']);
    expect((await listed()).map((one) => one['id'])).not.toContain(id);
    const path = `/webhooks/${String(id)}`;
    expect((await stage.get(path)).status).toBe(404);
    expect((await stage.post(`${path}/rotate`)).status).toBe(404);
    expect((await stage.post(`${path}/test`)).status).toBe(404);
    expect((await stage.get(`${path}/deliveries`)).status).toBe(200);
  });

  it('is listed page by page, whatever is removed meanwhile', async () => {
    const made = [await webhook(), await webhook(), await webhook(), await webhook()];
    const all = (await listed()).map(({ id }) => id);
    const first = await stage.get(`/webhooks?limit=${all.length - 3}`);
    await remove(made[0]?.['id']);
    await remove(made[2]?.['id']);
    const rest = await stage.get(`/webhooks?after=${String(first.json['next'])}`);
    expect(itemsOf(rest).map(({ id }) => id)).toEqual([made[1]?.['id'], made[3]?.['id']]);
    expect(rest.json['next']).toBeNull();
  });
});

describe('a body is refused with all that is wrong about it', () => {
  it.each([
    [{}, ['/url']],
    [{ url: 'x', events: [], extra: 1 }, ['/url', '/events', '/extra']],
    [{ url: 'https://u:p@example.com/' }, ['/url']],
    [{ url: URL, events: ['nothing', 'balance.low'] }, ['/events/0']],
    [{ url: URL, events: ['balance.low', 'balance.low'] }, ['/events']],
    [{ url: URL, account_id: 'x' }, ['/account_id']],
    [{ url: URL, account_id: UNKNOWN }, ['/account_id']],
    [{ url: URL, account_id: UNKNOWN, events: ['release.ready'] }, ['/events/0']],
    [{ url: `https://example.com/${'x'.repeat(2_000)}` }, ['/url']],
    [{ url: URL, description: '' }, ['/description']],
  ])('%j', async (body, pointers) => {
    const refused = await stage.post('/webhooks', body);
    expect([refused.status, refused.json['code']]).toEqual([400, 'invalid-body']);
    const errors = refused.json['errors'] as { pointer: string }[];
    expect([...new Set(errors.map(({ pointer }) => pointer))].toSorted()).toEqual(
      [...pointers].toSorted(),
    );
  });

  it.each([
    ['GET', '/webhooks/x', 400],
    ['DELETE', '/webhooks/x', 400],
    ['POST', '/webhooks/x/rotate', 400],
    ['GET', `/webhooks/${UNKNOWN}`, 404],
    ['DELETE', `/webhooks/${UNKNOWN}`, 404],
    ['POST', `/webhooks/${UNKNOWN}/rotate`, 404],
    ['POST', `/webhooks/${UNKNOWN}/test`, 404],
    ['GET', `/webhooks/${UNKNOWN}/deliveries`, 404],
    ['GET', '/webhooks?after=zzz', 400],
    ['POST', `/webhooks/deliveries/${UNKNOWN}/resend`, 404],
    ['POST', '/webhooks/deliveries/x/resend', 400],
    ['GET', `/accounts/${UNKNOWN}/alerts`, 404],
    ['GET', '/accounts/x/alerts', 400],
  ] as const)('%s %s is %i', async (method, path, expected) => {
    expect((await stage.ask(method, `/admin/v1${path}`)).status).toBe(expected);
  });

  it('also a query of deliveries', async () => {
    const { id } = await webhook();
    const path = `/webhooks/${String(id)}/deliveries`;
    const refused = await stage.get(`${path}?status=lost&order=up&limit=0`);
    const parameters = refused.json['parameters'] as { name: string }[];
    expect(parameters.map(({ name }) => name).toSorted()).toEqual(['limit', 'order', 'status']);
    for (const cursor of ['zzz', Buffer.from('1 x').toString('base64url')]) {
      expect((await stage.get(`${path}?after=${cursor}`)).status).toBe(400);
    }
  });
});

describe('under an idempotency key', () => {
  it('a webhook is made once, and its secret is not shown again', async () => {
    const key = randomUUID();
    const body = { url: URL };
    const first = await stage.post('/webhooks', body, key);
    const secrets = await rowsOf('secret');
    const retry = await stage.post('/webhooks', body, key);
    expect(retry.headers['idempotent-replayed']).toBe('true');
    const { secret: _secret, ...shown } = first.json;
    expect([retry.status, retry.json]).toEqual([201, shown]);
    expect(await rowsOf('secret')).toBe(secrets);
    const other = await stage.post('/webhooks', { url: `${URL}/other` }, key);
    expect([other.status, other.json['code']]).toEqual([422, 'idempotency-conflict']);
    expect(await rowsOf('secret')).toBe(secrets);
  });

  it('ten requests at once make one webhook, and one of them gets the secret that signs', async () => {
    const key = randomUUID();
    const before = await listed();
    const ten = Array.from({ length: 10 }, () =>
      stage.post('/webhooks', { url: receiver.url() }, key),
    );
    const answers = await Promise.all(ten);
    expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(1);
    expect(answers.filter(({ json }) => 'secret' in json)).toHaveLength(1);
    expect(await listed()).toHaveLength(before.length + 1);
  });

  it('a secret is replaced once, a webhook is tested once and removed once', async () => {
    const { id } = await webhook();
    const path = `/webhooks/${String(id)}`;
    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    const rotated = await stage.post(`${path}/rotate`, undefined, keys[0]);
    const again = await stage.post(`${path}/rotate`, undefined, keys[0]);
    const { secret, ...shown } = rotated.json;
    expect(secret).toBeDefined();
    expect(again.json).toEqual(shown);
    const tested = await stage.post(`${path}/test`, undefined, keys[1]);
    const retested = await stage.post(`${path}/test`, undefined, keys[1]);
    expect(retested.json).toEqual(tested.json);
    expect(retested.headers['idempotent-replayed']).toBe('true');
    expect(receiver.received).toHaveLength(1);
    expect((await remove(id, keys[2])).headers['idempotent-replayed']).toBeUndefined();
    expect((await remove(id, keys[2])).headers['idempotent-replayed']).toBe('true');
  });
});
