import {
  CLIENT,
  cookiesOf,
  TestIdentityProvider,
  type Person,
} from '../../../../test/setup/identity-provider.js';
import { PORTAL, PortalStage } from '../../../../test/setup/portal-stage.js';

const NADJA: Person = { sub: 'nadja', email: 'nadja@example.com', email_verified: true };

let stage: PortalStage;
let people: TestIdentityProvider;

beforeAll(async () => {
  people = await TestIdentityProvider.start([`${PORTAL}/oidc/callback`]);
  const oidc = {
    issuer: people.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    roleClaim: 'roles',
    emailDomains: ['trusted.example.com'],
  };
  stage = await PortalStage.open({ oidc });
});

afterAll(async () => {
  await stage.close();
  await people.stop();
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

function ask(method: Method, url: string, cookie = '', payload?: object) {
  const headers = { cookie, origin: PORTAL, 'x-requested-with': 'portal' };
  return stage.app.inject({ method, url, headers, ...(payload && { payload }) });
}

/** Goes to the provider and comes back; returns where to, and the cookies. */
async function signIn(person: Person): Promise<{ to: string; cookie: string }> {
  people.person = person;
  const away = await ask('GET', '/oidc/sign-in?return_to=/usage');
  const back = (await people.visit(String(away.headers.location))).slice(PORTAL.length);
  const answer = await ask('GET', back, cookiesOf(away.headers['set-cookie']));
  const cookie = cookiesOf(answer.headers['set-cookie']);
  return { to: String(answer.headers.location), cookie };
}

function session(cookie: string) {
  return ask('GET', '/portal/v1/session', cookie);
}

async function accountWith(email: string, role = 'viewer', name = 'Acme'): Promise<string> {
  const id = await stage.admin.account({ name });
  await stage.admin.post(`/accounts/${id}/members`, { email, role });
  return id;
}

async function membersOf(id: string) {
  return (await stage.admin.get(`/accounts/${id}/members`)).json['items'] as readonly {
    id: string;
  }[];
}

describe('a member of an account', () => {
  it('signs in with the company account, the first time by the verified address', async () => {
    const id = await accountWith('Nadja@Example.com', 'manager');
    const { to, cookie } = await signIn(NADJA);
    expect(to).toBe('/usage');
    expect((await session(cookie)).json()).toMatchObject({ account: { id }, role: 'manager' });
    const { items } = (await ask('GET', '/portal/v1/sessions', cookie)).json<{ items: object[] }>();
    expect(items).toMatchObject([{ member: 'Nadja@Example.com', current: true }]);
  });

  it('is known by issuer and subject from then on, whatever the address becomes', async () => {
    const id = await accountWith('moving@example.com');
    const moving = { sub: 'moving', email: 'moving@example.com', email_verified: true };
    await signIn(moving);
    const { cookie } = await signIn({ sub: 'moving', email: 'moved@example.com' });
    expect((await session(cookie)).json()).toMatchObject({ account: { id } });
    const thief = { sub: 'thief', email: 'moving@example.com', email_verified: true };
    expect(await signIn(thief)).toMatchObject({ to: '/?sign_in=no-account' });
  });

  it.each<[string, Person]>([
    ['an address that nobody has verified', { sub: 'a', email: 'unverified@example.com' }],
    ['another address', { sub: 'b', email: 'other@example.com', email_verified: true }],
    ['no address', { sub: 'c' }],
  ])('does not sign in with %s', async (_, person) => {
    await accountWith('unverified@example.com');
    const { to, cookie } = await signIn(person);
    expect([to, cookie]).toEqual(['/?sign_in=no-account', '']);
  });

  it('signs in with an address of a trusted domain, of which the provider says nothing', async () => {
    const id = await accountWith('silent@trusted.example.com');
    const person = { sub: 'silent', email: 'silent@trusted.example.com' };
    const unverified = { ...person, sub: 'other', email_verified: false };
    expect(await signIn(unverified)).toMatchObject({ to: '/?sign_in=no-account' });
    expect((await session((await signIn(person)).cookie)).json()).toMatchObject({
      account: { id },
    });
  });

  it('gets another role, and its sessions of the old one are over', async () => {
    const person = { sub: 'role', email: 'role@example.com', email_verified: true };
    const id = await accountWith('role@example.com', 'manager');
    const { cookie } = await signIn(person);
    await stage.admin.post(`/accounts/${id}/members`, { email: 'ROLE@example.com' });
    expect(await membersOf(id)).toMatchObject([{ email: 'role@example.com', role: 'viewer' }]);
    expect((await session(cookie)).statusCode).toBe(401);
    expect((await session((await signIn(person)).cookie)).json()).toMatchObject({ role: 'viewer' });
  });

  it('is out at once when it is removed, and the log keeps no address', async () => {
    const person = { sub: 'gone', email: 'gone@example.com', email_verified: true };
    const id = await accountWith('gone@example.com');
    const { cookie } = await signIn(person);
    const [member] = await membersOf(id);
    const path = `/admin/v1/accounts/${id}/members/${member?.id}`;
    expect((await stage.admin.ask('DELETE', path)).status).toBe(204);
    expect((await stage.admin.ask('DELETE', path)).status).toBe(404);
    expect((await session(cookie)).statusCode).toBe(401);
    expect(await signIn(person)).toMatchObject({ to: '/?sign_in=no-account' });
    const { text } = await stage.admin.get(`/audit?account_id=${id}`);
    expect(text).toMatch(/MemberAdded.*PortalSessionOpened.*MemberRemoved/s);
    expect(text).not.toContain('gone@');
  });

  it('is no member any more of an account that is closed', async () => {
    const person = { sub: 'closed', email: 'closed@example.com', email_verified: true };
    const id = await accountWith('closed@example.com');
    const { cookie } = await signIn(person);
    await stage.admin.post(`/accounts/${id}/close`);
    expect(await membersOf(id)).toEqual([]);
    expect((await session(cookie)).statusCode).toBe(401);
    const added = await stage.admin.post(`/accounts/${id}/members`, { email: 'new@example.com' });
    expect([added.status, added.json['detail']]).toEqual([409, expect.stringContaining('closed')]);
  });

  it('of several accounts opens the last one, and goes over to another', async () => {
    const person = { sub: 'several', email: 'several@example.com', email_verified: true };
    const first = await accountWith('several@example.com', 'viewer', 'Berlin');
    const second = await accountWith('several@example.com', 'manager', 'Athens');
    const { cookie } = await signIn(person);
    const listed = (await ask('GET', '/portal/v1/session/accounts', cookie)).json<object>();
    expect(listed).toMatchObject({
      items: [
        { account_id: second, name: 'Athens', role: 'manager', current: false },
        { account_id: first, name: 'Berlin', role: 'viewer', current: true },
      ],
    });
    stage.admin.now += 1_000;
    const over = await ask('PUT', '/portal/v1/session/account', cookie, { account_id: second });
    expect(over.json()).toMatchObject({ account: { id: second }, role: 'manager' });
    const there = cookiesOf(over.headers['set-cookie']);
    expect((await session(there)).json()).toMatchObject({ account: { id: second } });
    expect((await session((await signIn(person)).cookie)).json()).toMatchObject({
      account: { id: second },
    });
    const foreign = await stage.admin.account();
    const no = await ask('PUT', '/portal/v1/session/account', there, { account_id: foreign });
    expect(no.statusCode).toBe(404);
  });
});

describe('members of an account', () => {
  it('are added and removed by managers in the portal, and only listed by viewers', async () => {
    const id = await stage.admin.account();
    const manager = await stage.signIn(id);
    const viewer = await stage.signIn(id, 'viewer');
    const added = await stage.post('/members', manager, { email: 'new@example.com' });
    expect([added.status, added.json]).toMatchObject([201, { role: 'viewer', signed_in_at: null }]);
    expect((await stage.post('/members', viewer, { email: 'x@example.com' })).status).toBe(403);
    expect((await stage.get('/members', viewer)).json['items']).toMatchObject([
      { email: 'new@example.com' },
    ]);
    const path = `/portal/v1/members/${String(added.json['id'])}`;
    expect((await stage.ask('DELETE', path, { cookie: manager })).status).toBe(204);
    const accounts = (await stage.get('/session/accounts', viewer)).json['items'];
    expect(accounts).toMatchObject([{ account_id: id, current: true, role: 'viewer' }]);
  });

  it('are added once under one idempotency key', async () => {
    const id = await stage.admin.account();
    const body = { email: 'once@example.com', role: 'manager' };
    const [one, two] = [
      await stage.admin.post(`/accounts/${id}/members`, body, 'once'),
      await stage.admin.post(`/accounts/${id}/members`, body, 'once'),
    ];
    expect(one.json).toMatchObject(two.json);
    expect(two.text).not.toContain('#sign-in=');
    expect(two.headers['idempotent-replayed']).toBe('true');
    const { text } = await stage.admin.get(`/audit?account_id=${id}`);
    expect(text.match(/MemberAdded/g)).toHaveLength(1);
  });

  it.each([[{}], [{ email: 'nobody' }], [{ email: 'a@example.com', role: 'owner' }]])(
    'are refused for %j with what would be right',
    async (body) => {
      const id = await stage.admin.account();
      const { status, json } = await stage.admin.post(`/accounts/${id}/members`, body);
      expect([status, json['code']]).toEqual([400, 'invalid-body']);
    },
  );
});
