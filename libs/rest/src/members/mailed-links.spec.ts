import { MailServer } from '#deliveries/mail-server.suite.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { PORTAL, PortalStage } from '../../../../test/setup/portal-stage.js';

const MINUTE = 60_000;
const ANSWER = { status: 204, text: '' };

let mails: MailServer;
let stage: PortalStage;
let rate = 0;
let people = 0;

beforeAll(async () => {
  mails = await MailServer.start();
  const mail = { smtpUrl: mails.url, from: 'Popindex <portal@example.com>' };
  // Nobody goes there: people are known by it, in the rows of members.
  const oidc = {
    issuer: 'http://127.0.0.1:1',
    clientId: 'x',
    clientSecret: null,
    roleClaim: 'r',
    emailDomains: [],
  };
  stage = await PortalStage.open({ mail, oidc });
  stage.admin.rateClock = () => rate;
  stage.admin.deliveries.worker.start();
});

afterAll(async () => {
  await stage.admin.deliveries.worker.stop(1_000);
  await stage.close();
  await mails.close();
});

beforeEach(() => {
  // Each test has the whole rate of its address.
  rate += 60 * MINUTE;
});

function ask(email: string, returnTo?: string) {
  const body = { email, ...(returnTo !== undefined && { return_to: returnTo }) };
  return stage.ask('POST', '/portal/v1/session/links', { body });
}

function use(token: string) {
  return stage.ask('POST', '/portal/v1/session/links/use', { body: { token } });
}

/** An account with a member like no other; its address and the account. */
async function member(role = 'viewer'): Promise<{ email: string; account: string }> {
  people += 1;
  const email = `Nadja.${people}@example.com`;
  const account = await stage.admin.account();
  await stage.admin.post(`/accounts/${account}/members`, { email, role });
  return { email, account };
}

/** Mails that somebody got beside the invitation. */
function requestedBy(email: string) {
  return mails.taken.filter(
    ({ to, source }) => to.includes(email) && source.includes('Subject: Sign in to the portal'),
  );
}

/** Addresses in the mails that somebody got, oldest first, once there are so many. */
async function linksTo(email: string, count: number): Promise<URL[]> {
  const sent = () => requestedBy(email);
  await waitFor(`${count} mails`, async () => sent().length >= count);
  return sent().map(({ source }) => {
    const text = source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
    return new URL(/https:\/\/\S+/.exec(text)?.[0] ?? '');
  });
}

async function linkTo(email: string): Promise<{ url: URL; token: string }> {
  await ask(email);
  const [url] = await linksTo(email, 1);
  if (url === undefined) throw new Error('There is no mail.');
  return { url, token: url.hash.replace('#sign-in=', '') };
}

describe('a member', () => {
  it('is mailed a link that signs in once, on the page that was asked for', async () => {
    const { email, account } = await member('manager');
    expect(await ask(email.toUpperCase(), '/invoices?status=open')).toMatchObject(ANSWER);
    const [url] = await linksTo(email, 1);
    expect(url?.href).toMatch(`${PORTAL}/invoices?status=open#sign-in=pixmail_`);
    const token = url?.hash.replace('#sign-in=', '') ?? '';
    const { status, json, headers } = await use(token);
    expect([status, json]).toMatchObject([200, { account: { id: account }, role: 'manager' }]);
    expect(json['member']).toBe(email);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    expect((await stage.get('/session', cookie)).json['account']).toMatchObject({ id: account });
    const again = await use(token);
    expect([again.status, again.json['detail']]).toEqual([
      401,
      'This link was used before. Ask for another link.',
    ]);
  });

  it('is not signed in by whoever looks at the link', async () => {
    const { email } = await member();
    const { url, token } = await linkTo(email);
    for (const method of ['GET', 'HEAD'] as const) {
      await stage.app.inject({ method, url: url.pathname + url.search });
    }
    expect((await use(token)).status).toBe(200);
  });

  it('signs in once of many attempts at the same time', async () => {
    const { email } = await member();
    const { token } = await linkTo(email);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => use(token)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('is not signed in by a link that has expired', async () => {
    const { email } = await member();
    const { token } = await linkTo(email);
    stage.admin.now += 15 * MINUTE;
    const { status, json } = await use(token);
    expect([status, json['detail']]).toEqual([401, expect.stringContaining('has expired')]);
  });

  it('is not signed in by the link of an address that was removed meanwhile', async () => {
    const { email, account } = await member();
    const { token } = await linkTo(email);
    await stage.admin.post(`/accounts/${account}/close`);
    expect((await use(token)).status).toBe(401);
  });

  it.each(['pixmail_', 'pixlink_0000', 'pixmail_019a9c3e-5d1f-7c3a-9f0e-2b7d6f1a4c55.AAAA'])(
    'is not signed in by %s',
    async (token) => {
      expect((await use(token)).json['detail']).toContain('unknown');
    },
  );

  it.each([
    'https://evil.example.com/',
    '/\\evil.example.com',
    '/.//evil.example.com/',
    '/nowhere',
  ])('is led to the first page instead of %s', async (returnTo) => {
    const { email } = await member();
    await ask(email, returnTo);
    const [url] = await linksTo(email, 1);
    expect([url?.origin, url?.pathname]).toEqual([PORTAL, '/']);
  });

  it('of several accounts goes over from one to another', async () => {
    const { email, account } = await member();
    const second = await stage.admin.account({ name: 'Second' });
    await stage.admin.post(`/accounts/${second}/members`, { email });
    const { token } = await linkTo(email);
    const [cookie = ''] = String((await use(token)).headers['set-cookie']).split(';');
    const { json } = await stage.get('/session/accounts', cookie);
    const ids = (json['items'] as { account_id: string }[]).map((one) => one.account_id);
    expect(ids.toSorted()).toEqual([account, second].toSorted());
  });
});

describe('links by e-mail', () => {
  it('are answered the same for an address that nobody has, and are not sent', async () => {
    const { email } = await member();
    const before = await stage.admin.pool.query('select from delivery');
    expect(await ask('nobody@example.com')).toMatchObject(ANSWER);
    expect(await ask(email)).toMatchObject(ANSWER);
    await linksTo(email, 1);
    const after = await stage.admin.pool.query('select from delivery');
    expect(after.rowCount).toBe((before.rowCount ?? 0) + 1);
  });

  it('are not sent to whoever signs in by a provider', async () => {
    const [bound, free] = [await member(), await member()];
    await stage.admin.pool.query(
      `update account_member set issuer = 'x', subject = $1 where email = $1`,
      [bound.email],
    );
    expect(await ask(bound.email)).toMatchObject(ANSWER);
    await ask(free.email);
    await linksTo(free.email, 1);
    expect(requestedBy(bound.email)).toEqual([]);
  });

  it('go to an address 3 times in 15 minutes at most, and the answer stays the same', async () => {
    const { email } = await member();
    for (let n = 1; n <= 3; n += 1) {
      await ask(email);
      await linksTo(email, n);
    }
    expect(await ask(email)).toMatchObject(ANSWER);
    stage.admin.now += 16 * MINUTE;
    await ask(email);
    expect(await linksTo(email, 4)).toHaveLength(4);
  });

  it('that no page of the portal asks for leave those that one does', async () => {
    const { email } = await member();
    for (const page of ['/.//evil.example.com', '//evil.example.com', '/nowhere']) {
      expect(await ask(email, page)).toMatchObject(ANSWER);
      await linksTo(email, 1);
    }
    await ask(email, '/usage');
    await linksTo(email, 2);
    await ask(email);
    const paths = (await linksTo(email, 3)).map(({ pathname }) => pathname);
    expect(paths).toEqual(['/', '/usage', '/']);
  });

  it('are refused to a client that asks for too many', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 21; n += 1) answers.push((await ask(`x${n}@example.com`)).status);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 204), 429]);
  });

  it('are deliveries without an address or a secret', async () => {
    const { email } = await member();
    const { token } = await linkTo(email);
    for (const table of ['delivery', 'delivery_attempt', 'sign_in_link']) {
      const { rows } = await stage.admin.pool.query<{ row: string }>(
        `select to_json(t)::text as row from ${table} t`,
      );
      const text = rows.map(({ row }) => row).join();
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toContain('example.com');
      expect(text).not.toContain(token.split('.')[1]);
    }
  });

  it.each([{}, { email: 'nobody' }, { email: 'a@example.com', role: 'owner' }])(
    'are refused for %j',
    async (body) => {
      const { status, json } = await stage.ask('POST', '/portal/v1/session/links', { body });
      expect([status, json['code']]).toEqual([400, 'invalid-body']);
    },
  );
});

describe('without a mail server', () => {
  it('there are no links by e-mail, and pages offer none', async () => {
    const bare = await PortalStage.open();
    const body = { email: 'a@example.com' };
    const asked = await bare.ask('POST', '/portal/v1/session/links', { body });
    const ways = await bare.ask('GET', '/portal/v1/session/ways');
    await bare.close();
    expect([asked.status, ways.json]).toEqual([404, { oidc: null, email: false }]);
  });
});
