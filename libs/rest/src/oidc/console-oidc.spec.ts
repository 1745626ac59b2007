import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { gracefulClose } from '#web/server/graceful-close.js';
import {
  CLIENT,
  cookiesOf,
  TestIdentityProvider,
} from '../../../../test/setup/identity-provider.js';
import { AdminStage } from '../../../../test/setup/admin-stage.js';

const ADMIN = 'https://admin.example.com';
const PAGE = { 'x-requested-with': 'console', origin: ADMIN };
const UNKNOWN = '019a9c3e-5d1f-7c3a-9f0e-2b7d6f1a4c55';
const NADJA = { sub: 'nadja', name: 'Nadja Novak', email: 'nadja@example.com' };

let stage: AdminStage;
let people: TestIdentityProvider;
let app: NestFastifyApplication;

beforeAll(async () => {
  stage = await AdminStage.open();
  people = await TestIdentityProvider.start([`${ADMIN}/oidc/callback`]);
  const { issuer } = people;
  const oidc = {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    roleClaim: 'roles',
    emailDomains: [],
  };
  app = await stage.serve({ adminUrl: ADMIN, oidc });
});

afterAll(async () => {
  await gracefulClose(app, 5_000);
  await people.stop();
  await stage.close();
});

type Headers = Readonly<Record<string, string>>;

function get(url: string, headers: Headers = {}) {
  return app.inject({ method: 'GET', url, headers });
}

/** Goes to the provider and comes back; returns the last answer. */
async function signIn(returnTo?: string) {
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const away = await get(`/oidc/sign-in${query}`);
  const back = await people.visit(String(away.headers.location));
  expect(back).toMatch(/^https:\/\/admin\.example\.com\/oidc\/callback\?/);
  return get(back.slice(ADMIN.length), { cookie: cookiesOf(away.headers['set-cookie']) });
}

async function signedIn(roles: readonly string[]): Promise<string> {
  people.person = { ...NADJA, roles };
  return cookiesOf((await signIn()).headers['set-cookie']);
}

describe('an operator with a company account', () => {
  it('is signed in with the role of the claim, on the page that was asked for', async () => {
    people.person = { ...NADJA, email_verified: true, roles: ['staff', 'billing'] };
    const { statusCode, headers } = await signIn('/console/accounts?search=acme');
    expect([statusCode, headers.location]).toEqual([302, '/console/accounts?search=acme']);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-popindex-console=pixcon_[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(/^__Host-popindex-console-oidc=; Max-Age=0; .*SameSite=Lax; Secure$/),
    ]);
    const cookie = cookiesOf(headers['set-cookie']);
    expect((await get('/admin/v1/session', { cookie })).json()).toMatchObject({
      name: 'Nadja Novak',
      role: 'billing',
    });
  });

  it('is named by the audit as the one who made a change, at each sign-in the same', async () => {
    const [first, second] = [await signedIn(['billing']), await signedIn(['billing'])];
    const ids = await Promise.all(
      [first, second].map(async (cookie) => {
        const { json } = await get('/admin/v1/session', { cookie });
        return json<{ token_id: string }>().token_id;
      }),
    );
    expect(ids[0]).toBe(ids[1]);
    const opened = await app.inject({
      method: 'POST',
      url: '/admin/v1/accounts',
      headers: { ...PAGE, cookie: first },
      payload: { name: 'By Nadja' },
    });
    expect(opened.statusCode).toBe(201);
    const audit = await stage.get('/audit?order=desc&limit=1');
    expect(audit.json['items']).toMatchObject([
      { type: 'AccountOpened', by: ids[0], by_name: 'Nadja Novak' },
    ]);
  });

  it('may do no more than the role, of several the first in the order of rights', async () => {
    const cookie = await signedIn(['support', 'owner']);
    expect((await get('/admin/v1/session', { cookie })).json()).toMatchObject({ role: 'owner' });
    const support = await signedIn(['support']);
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/admin/v1/accounts',
      headers: { ...PAGE, cookie: support },
      payload: { name: 'No' },
    });
    expect(statusCode).toBe(403);
  });

  it('is out everywhere once an owner has said so, which the audit records', async () => {
    const cookie = await signedIn(['billing']);
    const { items } = (await stage.get('/operators')).json as { items: { id: string }[] };
    expect(items).toMatchObject([{ name: 'Nadja Novak', role: 'billing' }]);
    const id = items[0]?.id ?? '';
    const reason = { reason: 'Left the company.' };
    const ended = await stage.ask('DELETE', `/admin/v1/operators/${id}/sessions`, { body: reason });
    expect(ended.status).toBe(204);
    expect((await get('/admin/v1/session', { cookie })).statusCode).toBe(401);
    const audit = await stage.get('/audit?order=desc&limit=1');
    expect(audit.json['items']).toMatchObject([
      { type: 'OperatorSignedOut', reason: 'Left the company.', data: { operator_id: id } },
    ]);
    const unknown = await stage.ask('DELETE', `/admin/v1/operators/${UNKNOWN}/sessions`);
    expect(unknown.status).toBe(404);
  });
});

describe('nobody is signed in', () => {
  const failed = (fault: string) => [302, `/console?sign_in=${fault}`, undefined];
  const outcome = ({ statusCode, headers }: Awaited<ReturnType<typeof signIn>>) => [
    statusCode,
    headers.location,
    headers['set-cookie'],
  ];

  it.each([[[]], [['staff']], [['Owner']]])('with the roles %j', async (roles) => {
    people.person = { ...NADJA, roles };
    expect(outcome(await signIn())).toEqual(failed('no-role'));
  });

  it('who is refused by the provider', async () => {
    people.person = null;
    expect(outcome(await signIn())).toEqual(failed('denied'));
  });

  it('without the cookie of the browser that has left, or with one that was made up', async () => {
    people.person = { ...NADJA, roles: ['owner'] };
    const away = await get('/oidc/sign-in');
    const back = (await people.visit(String(away.headers.location))).slice(ADMIN.length);
    expect(outcome(await get(back))).toEqual(failed('expired'));
    const cookie = '__Host-popindex-console-oidc=eyJhIjoxfQ';
    expect(outcome(await get(back, { cookie }))).toEqual(failed('expired'));
    const other = cookiesOf((await get('/oidc/sign-in')).headers['set-cookie']);
    expect(outcome(await get(back, { cookie: other }))).toEqual(failed('expired'));
  });

  it('twice with one answer of the provider', async () => {
    people.person = { ...NADJA, roles: ['owner'] };
    const away = await get('/oidc/sign-in');
    const back = (await people.visit(String(away.headers.location))).slice(ADMIN.length);
    const cookie = cookiesOf(away.headers['set-cookie']);
    expect((await get(back, { cookie })).headers.location).toBe('/console');
    expect(outcome(await get(back, { cookie }))).toEqual(failed('denied'));
  });
});

it.each([
  ['another host', 'https://elsewhere.example.com/'],
  ['another host of the same scheme', '//elsewhere.example.com'],
  ['another host behind a backslash', '/\\elsewhere.example.com'],
  ['another host behind dots', '/.//elsewhere.example.com'],
  ['another host behind encoded dots', '/console/%2e%2e//elsewhere.example.com'],
  ['no page', '/console/nowhere'],
  ['a script', 'javascript:alert(1)'],
  ['a page of endless name', `/${'a'.repeat(2_000)}`],
])('nobody is sent to %s', async (_, returnTo) => {
  people.person = { ...NADJA, roles: ['owner'] };
  expect((await signIn(returnTo)).headers.location).toBe('/console');
});

it('says where to sign in, and without a provider that there is none', async () => {
  expect((await get('/admin/v1/session/ways')).json()).toEqual({
    oidc: '/oidc/sign-in',
    email: false,
  });
  expect((await stage.ask('GET', '/admin/v1/session/ways', { authorization: null })).json).toEqual({
    oidc: null,
    email: false,
  });
  expect((await stage.ask('GET', '/oidc/sign-in', { authorization: null })).status).toBe(404);
});
