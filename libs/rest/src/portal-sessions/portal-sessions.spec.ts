import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { PORTAL } from '../../../../test/setup/portal-stage.js';
import { portalStage } from '../../../../test/setup/stages.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SIGN_IN = '/portal/v1/session';

const stage = portalStage();
let account: string;

beforeAll(async () => {
  account = await stage.admin.prepaid();
});

function redeem(token: string) {
  return stage.ask('POST', SIGN_IN, { body: { token } });
}

function refusal(detail: string) {
  return { status: 401, json: { code: 'invalid-key', detail: expect.stringContaining(detail) } };
}

describe('a link', () => {
  it('signs in once, into a cookie that no script reads and no other site sends', async () => {
    const { token } = await stage.link(account, { role: 'manager' });
    expect(token).toMatch(/^pixlink_[\w-]{43}$/);
    const { status, headers, json } = await redeem(token);
    expect([status, json['role']]).toEqual([200, 'manager']);
    expect(json['account']).toMatchObject({ id: account, name: 'Nails & Co' });
    expect(headers['set-cookie']).toMatch(
      /^__Host-popindex-portal=pixses_[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await redeem(token)).toMatchObject(refusal('used before'));
  });

  it('signs only one of two in that come at once', async () => {
    const { token } = await stage.link(account);
    const answers = await Promise.all([redeem(token), redeem(token), redeem(token)]);
    const signedIn = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 401);
    expect([signedIn.length, refused.length]).toEqual([1, 2]);
  });

  it('works for 15 minutes, or as long as it was asked to', async () => {
    const plain = await stage.link(account);
    const short = await stage.link(account, { expires_in: 60 });
    stage.admin.now += MINUTE;
    expect(await redeem(short.token)).toMatchObject(refusal('has expired'));
    stage.admin.now += 14 * MINUTE;
    expect(await redeem(plain.token)).toMatchObject(refusal('has expired'));
  });

  it('opens nothing once it was revoked, and a made-up one never did', async () => {
    const { id, token } = await stage.link(account);
    const path = `/admin/v1/accounts/${account}/portal-sessions/${id}`;
    expect((await stage.admin.ask('DELETE', path)).status).toBe(204);
    expect(await redeem(token)).toMatchObject(refusal('was revoked'));
    expect(await redeem(`${token}x`)).toMatchObject(refusal('is unknown'));
  });

  it('is shown to the request that made it and to no retry of it', async () => {
    const path = `/accounts/${account}/portal-sessions`;
    const first = await stage.admin.post(path, { role: 'viewer' }, 'link-1');
    const again = await stage.admin.post(path, { role: 'viewer' }, 'link-1');
    expect(first.json['url']).toMatch(`${PORTAL}/#token=pixlink_`);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const { url: _url, ...rest } = first.json;
    expect(again.json).toEqual(rest);
    const other = await stage.admin.post(path, { role: 'manager' }, 'link-1');
    expect(other.status).toBe(422);
  });

  it('is asked for with a known role and a time within limits, all faults reported at once', async () => {
    const path = `/accounts/${account}/portal-sessions`;
    const { status, json } = await stage.admin.post(path, { role: 'owner', expires_in: 0, x: 1 });
    const pointers = (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect([status, pointers.toSorted()]).toEqual([400, ['/expires_in', '/role', '/x']]);
  });
});

describe('a session', () => {
  it('lasts 8 hours, however much it is used', async () => {
    const cookie = await stage.signIn(account);
    for (let used = 0; used < 16; used += 1) {
      expect((await stage.get('/session', cookie)).status).toBe(200);
      stage.admin.now += HOUR / 2;
    }
    stage.admin.now -= 1;
    expect((await stage.get('/session', cookie)).status).toBe(200);
    stage.admin.now += 1;
    expect((await stage.get('/session', cookie)).status).toBe(401);
  });

  it('ends when 30 minutes have passed without a request, as one that has expired', async () => {
    const cookie = await stage.signIn(account);
    const { json } = await stage.get('/session', cookie);
    stage.admin.now += 30 * MINUTE;
    expect((await stage.get('/session', cookie)).status).toBe(200);
    stage.admin.now += 31 * MINUTE;
    expect(await stage.get('/account', cookie)).toMatchObject({
      status: 401,
      json: { code: 'unauthenticated' },
    });
    const list = await stage.admin.get(`/accounts/${account}/portal-sessions?limit=1000`);
    const shown = itemsOf(list).find(({ id }) => id === json['id']);
    expect(shown).toMatchObject({
      status: 'expired',
      expires_at: new Date(stage.admin.now).toISOString(),
      used_at: new Date(stage.admin.now - 31 * MINUTE).toISOString(),
    });
  });

  it('costs one write a minute, however often it is used', async () => {
    const cookie = await stage.signIn(account);
    const { json } = await stage.get('/session', cookie);
    const usedAt = async () => {
      const { rows } = await stage.admin.pool.query<{ at: string | null; version: string }>(
        'select used_at::text as at, xmin::text as version from portal_session where id = $1',
        [json['id']],
      );
      return rows[0];
    };
    expect(await usedAt()).toMatchObject({ at: null });
    stage.admin.now += MINUTE;
    await stage.get('/session', cookie);
    const noted = await usedAt();
    expect(noted).not.toMatchObject({ at: null });
    stage.admin.now += MINUTE - 1;
    await stage.get('/session', cookie);
    expect(await usedAt()).toEqual(noted);
    stage.admin.now += 1;
    await stage.get('/session', cookie);
    expect(await usedAt()).not.toEqual(noted);
  });

  it('is over at once for who signs out, and whose it was stands in the log', async () => {
    const cookie = await stage.signIn(account, 'viewer');
    const { json } = await stage.get('/session', cookie);
    const out = await stage.ask('DELETE', SIGN_IN, { cookie });
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      '__Host-popindex-portal=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
    ]);
    expect((await stage.get('/account', cookie)).status).toBe(401);
    const [revoked] = itemsOf(
      await stage.admin.get(`/audit?account_id=${account}&order=desc&limit=1`),
    );
    expect(revoked).toMatchObject({
      type: 'PortalSessionRevoked',
      by: json['id'],
      reason: 'Signed out.',
      data: { session_id: json['id'] },
    });
  });

  it('is over at once when an operator revokes it, which is recorded once', async () => {
    const { id, token } = await stage.link(account);
    const { headers } = await redeem(token);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const path = `/admin/v1/accounts/${account}/portal-sessions/${id}`;
    for (const _ of ['once', 'twice']) {
      expect((await stage.admin.ask('DELETE', path)).status).toBe(204);
      expect((await stage.get('/session', cookie)).status).toBe(401);
    }
    const audit = itemsOf(await stage.admin.get(`/audit?account_id=${account}&limit=1000`));
    const recorded = audit.filter(
      ({ data }) => (data as { session_id?: string }).session_id === id,
    );
    const kinds = recorded.map(({ type }) => type);
    expect(kinds).toEqual(['PortalSessionOpened', 'PortalSessionRevoked']);
    expect(JSON.stringify(recorded)).not.toContain(token);
  });

  it('stands in the list of its account alone, with what has become of it', async () => {
    const other = await stage.admin.account();
    const { id } = await stage.link(other);
    const list = `/accounts/${other}/portal-sessions`;
    expect(itemsOf(await stage.admin.get(list))).toMatchObject([{ id, status: 'unused' }]);
    await stage.signIn(other);
    const { json } = await stage.admin.get(`${list}?limit=1`);
    const next = await stage.admin.get(`${list}?limit=1&after=${String(json['next'])}`);
    expect(itemsOf(next)).toMatchObject([{ status: 'active', opened_by: 'owner' }]);
    const foreign = `/admin/v1/accounts/${account}/portal-sessions/${id}`;
    expect((await stage.admin.ask('DELETE', foreign)).status).toBe(404);
  });

  it('is asked for with one cookie: of two, one was planted', async () => {
    const cookie = await stage.signIn(account);
    const both = `${cookie}; __Host-popindex-portal=pixses_planted`;
    expect((await stage.get('/session', both)).status).toBe(401);
    expect((await stage.get('/session', `other=1; ${cookie}`)).status).toBe(200);
  });

  it('opens no month of an account, and none that is idle is closed for it', async () => {
    const idle = await stage.admin.account();
    const { json: before } = await stage.admin.get(`/accounts/${idle}`);
    await stage.signIn(idle);
    const { json: after } = await stage.admin.get(`/accounts/${idle}`);
    expect(after).toEqual({ ...before, now: after['now'], version: 2 });
  });
});

describe('a request that changes something', () => {
  const own = { 'x-requested-with': 'portal', origin: PORTAL };
  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['without the header that no form can send', { 'x-requested-with': '' }],
    ['from another site', { ...own, origin: 'https://evil.example' }],
    ['from another port of the same host', { ...own, origin: `${PORTAL}:8443` }],
    ['from nowhere', { ...own, origin: '' }],
    ['from a page that hides where it is', { ...own, origin: 'null' }],
    ['that a browser calls cross-site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['that a browser calls same-site', { ...own, 'sec-fetch-site': 'same-site' }],
  ];

  it.each(foreign)('is refused %s', async (_, headers) => {
    const cookie = await stage.signIn(account);
    const body = { label: 'Planted' };
    const answer = await stage.ask('POST', '/portal/v1/api-keys', { cookie, headers, body });
    expect([answer.status, answer.json['code']]).toEqual([403, 'forbidden']);
    const { token } = await stage.link(account);
    const signIn = await stage.ask('POST', SIGN_IN, { headers, body: { token } });
    expect([signIn.status, signIn.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await redeem(token)).status).toBe(200);
    expect(JSON.stringify((await stage.get('/api-keys', cookie)).json)).not.toContain('Planted');
  });

  it('is taken from a page of the portal, however the browser says so', async () => {
    const cookie = await stage.signIn(account);
    const asked = { cookie, body: { label: 'Own' } };
    const ways: Record<string, string>[] = [{}, { origin: '', 'sec-fetch-site': 'same-origin' }];
    for (const headers of ways) {
      const made = await stage.ask('POST', '/portal/v1/api-keys', { ...asked, headers });
      expect(made.status).toBe(201);
    }
  });

  it('is taken as JSON alone', async () => {
    const cookie = await stage.signIn(account);
    const headers = { 'content-type': 'text/plain' };
    const asked = { cookie, headers, body: { label: 'Text' } };
    expect((await stage.ask('POST', '/portal/v1/api-keys', asked)).status).toBe(415);
  });
});

test('what was over three months ago is forgotten with the next link that is made', async () => {
  const { id: used } = await stage.link(account);
  const listed = async () =>
    itemsOf(await stage.admin.get(`/accounts/${account}/portal-sessions?limit=1000`)).map(
      ({ id }) => id,
    );
  stage.admin.now += 89 * 24 * HOUR;
  await stage.link(account);
  expect(await listed()).toContain(used);
  stage.admin.now += 2 * 24 * HOUR;
  const { id: recent } = await stage.link(account);
  expect(await listed()).toEqual([expect.any(String), recent]);
  expect(await listed()).not.toContain(used);
});
