import { DEFAULT_REGIONS } from '#popularity/regions.js';
import { DEFAULT_SOURCES } from '#popularity/sources.js';
import type { Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { ADMIN_TOKEN } from '../../../../test/setup/stage-settings.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAGE = { 'x-requested-with': 'console', origin: 'http://localhost', host: 'localhost' };

const stage = adminStage();

function signIn(token: unknown): Promise<Answered> {
  return stage.ask('POST', '/admin/v1/session', { authorization: null, body: { token } });
}

async function cookieOf(token: string): Promise<string> {
  const { headers } = await signIn(token);
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

function ask(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  cookie: string,
  headers: Readonly<Record<string, string>> = PAGE,
  body?: object,
): Promise<Answered> {
  const asked = { authorization: null, headers: { cookie, ...headers }, ...(body && { body }) };
  return stage.ask(method, `/admin/v1${path}`, asked);
}

describe('an operator who signs in to the console', () => {
  it('has a cookie in place of the token, that no script reads and no other site sends', async () => {
    const { status, json, headers } = await signIn(ADMIN_TOKEN);
    expect([status, json]).toEqual([
      200,
      {
        token_id: 'owner',
        name: 'ADMIN_TOKEN',
        role: 'owner',
        has_company_account: false,
        billing_time_zone: 'UTC',
        regions: [...DEFAULT_REGIONS],
        sources: [...DEFAULT_SOURCES],
        base_url: expect.any(String),
      },
    ]);
    expect(headers['set-cookie']).toMatch(
      /^popindex-console=pixcon_[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = await cookieOf(ADMIN_TOKEN);
    expect((await ask('GET', '/session', cookie)).json).toEqual(json);
    expect((await ask('GET', '/accounts', cookie)).status).toBe(200);
  });

  it('does what the token may, recorded as the token’s changes', async () => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    const { status } = await ask('POST', '/accounts', cookie, PAGE, { name: 'By the console' });
    expect(status).toBe(201);
    const audit = await stage.get('/audit?order=desc&limit=1');
    expect(audit.json['items']).toMatchObject([{ type: 'AccountOpened', by: 'owner' }]);
  });

  it('has the role of a named token as it is now, and is out once that is revoked', async () => {
    const issued = await stage.post('/admin-tokens', { name: 'Help desk', role: 'support' });
    const cookie = await cookieOf(String(issued.json['token']));
    const who = await ask('GET', '/session', cookie);
    expect(who.json).toEqual({
      token_id: issued.json['id'],
      name: 'Help desk',
      role: 'support',
      has_company_account: false,
      billing_time_zone: 'UTC',
      regions: [...DEFAULT_REGIONS],
      sources: [...DEFAULT_SOURCES],
      base_url: expect.any(String),
    });
    const change = await ask('POST', '/accounts', cookie, PAGE, { name: 'No' });
    expect([change.status, change.json['detail']]).toEqual([
      403,
      expect.stringContaining('role support'),
    ]);
    await stage.ask('DELETE', `/admin/v1/admin-tokens/${String(issued.json['id'])}`);
    expect((await ask('GET', '/session', cookie)).status).toBe(401);
  });

  it('is signed in for 8 hours, or until signing out', async () => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    const out = await ask('DELETE', '/session', cookie);
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await ask('GET', '/session', cookie)).status).toBe(401);
    const other = await cookieOf(ADMIN_TOKEN);
    for (let used = 0; used < 16; used += 1) {
      expect((await ask('GET', '/session', other)).status).toBe(200);
      stage.now += HOUR / 2;
    }
    expect((await ask('GET', '/session', other)).status).toBe(401);
  });

  it('is signed out when 30 minutes have passed without a request, as one that has expired', async () => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    stage.now += 30 * MINUTE;
    expect((await ask('GET', '/accounts', cookie)).status).toBe(200);
    stage.now += 31 * MINUTE;
    expect(await ask('GET', '/accounts', cookie)).toMatchObject({
      status: 401,
      json: { code: 'unauthenticated' },
    });
    await cookieOf(ADMIN_TOKEN);
    const { rows } = await stage.pool.query('select from console_session where opened_at < $1', [
      new Date(stage.now - MINUTE),
    ]);
    expect(rows).toEqual([]);
  });

  it('is kept by no page that reads the metrics by itself', async () => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    stage.now += 20 * MINUTE;
    await stage.ask('GET', '/metrics', { authorization: null, headers: { cookie } });
    stage.now += 11 * MINUTE;
    expect((await ask('GET', '/session', cookie)).status).toBe(401);
  });

  it.each([
    ['without the header that no form can send', { ...PAGE, 'x-requested-with': '' }],
    ['from another site', { ...PAGE, origin: 'https://evil.example' }],
    ['from another port of the same host', { ...PAGE, origin: 'http://localhost:3003' }],
    ['from the page of customers', { ...PAGE, 'x-requested-with': 'portal' }],
  ])('changes nothing by a request %s', async (_, headers) => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    const { status, json } = await ask('POST', '/accounts', cookie, headers, { name: 'Planted' });
    expect([status, json['code']]).toEqual([403, 'forbidden']);
    expect((await stage.get('/accounts')).text).not.toContain('Planted');
  });

  it('with a token of its own in the request is asked for no page', async () => {
    const cookie = await cookieOf(ADMIN_TOKEN);
    const asked = { headers: { cookie }, body: { name: 'A program' } };
    expect((await stage.ask('POST', '/admin/v1/accounts', asked)).status).toBe(201);
  });
});

describe('whoever has no token', () => {
  it('is not signed in', async () => {
    const { status, json, headers } = await signIn(`${ADMIN_TOKEN}x`);
    expect([status, json['code']]).toEqual([401, 'invalid-key']);
    expect(headers['set-cookie']).toBeUndefined();
    expect((await ask('GET', '/session', 'popindex-console=pixcon_made-up')).status).toBe(401);
  });

  it.each([[''], ['two words'], [7], [null]])(
    'gets an explanation of a token: %j',
    async (token) => {
      expect((await signIn(token)).json['errors']).toMatchObject([{ pointer: '/token' }]);
    },
  );
});
