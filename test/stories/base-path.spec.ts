import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MailServer } from '#deliveries/mail-server.suite.js';
import { cookiesOf } from '../setup/identity-provider.js';
import { Program } from '../setup/program.js';
import { ProxiedService } from '../setup/proxied-service.js';
import { ask, ADMIN_TOKEN, type Customer, ServiceClient } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const RESOURCE = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

let proxied: ProxiedService;
let mails: MailServer;
/** As somebody in front of the proxy. */
let outside: ServiceClient;
let customer: Customer;
let folder: string;

beforeAll(async () => {
  mails = await MailServer.start();
  const mail = { SMTP_URL: mails.url, MAIL_FROM: 'Popindex <portal@example.com>' };
  proxied = await ProxiedService.start(mail);
  outside = new ServiceClient(proxied.urls.BASE_URL, proxied.urls.ADMIN_URL);
  customer = await outside.customer(1_000);
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-path-'));
}, 120_000);

afterAll(async () => {
  await proxied?.stop();
  await mails?.close();
  await rm(folder, { recursive: true, force: true });
});

const linkOf = ({ headers }: { headers: Headers }) =>
  /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? 'none';
const originOf = (url: string) => new URL(url).origin;

/** Addresses that a page or document leads to, made absolute as a browser does. */
async function linksOf(url: string): Promise<string[]> {
  const { text } = await ask(url, '');
  return [...text.matchAll(/href="([^"#][^"]*)"/g)].map(([, to = '']) => new URL(to, url).href);
}

async function popindex(args: readonly string[], env = {}): Promise<string> {
  const { BASE_URL, ADMIN_URL } = proxied.urls;
  const settings = { BASE_URL, ADMIN_URL, ADMIN_TOKEN, INIT_CWD: folder, ...env };
  const program = Program.popindex(args, settings);
  if ((await program.ended) !== 0) throw new Error(program.stderr);
  return program.stdout;
}

it('the next page of each interface is found at its Link', async () => {
  await customer.get(RESOURCE);
  await customer.get(RESOURCE);
  const { BASE_URL, ADMIN_URL } = proxied.urls;
  const first = await customer.get('/v1/account/calls?limit=1');
  const second = await ask(originOf(BASE_URL) + linkOf(first), customer.apiKey);
  expect([second.status, (second.body['items'] as object[]).length]).toEqual([200, 1]);
  await outside.admin('/accounts', { name: 'Another' });
  const accounts = await outside.admin('/accounts?limit=1');
  const more = await ask(originOf(ADMIN_URL) + linkOf(accounts), ADMIN_TOKEN);
  expect([more.status, (more.body['items'] as object[]).length]).toEqual([200, 1]);
});

it('what was made is found at its Location', async () => {
  const { status, headers, body } = await outside.admin('/accounts', { name: 'Found' });
  expect(status).toBe(201);
  const location = headers.get('location') ?? '';
  const found = await ask(originOf(proxied.urls.ADMIN_URL) + location, ADMIN_TOKEN);
  expect([found.status, found.body['id']]).toEqual([200, body['id']]);
});

it('the type of a problem of any server leads to its page, and from there to all', async () => {
  const { BASE_URL, ADMIN_URL, PORTAL_URL } = proxied.urls;
  for (const url of [`${BASE_URL}/v1/account`, `${ADMIN_URL}/admin/v1/accounts`]) {
    const { body } = await ask(url, 'no-key');
    expect((await ask(String(body['type']), '')).status).toBe(200);
  }
  for (const server of [BASE_URL, ADMIN_URL, PORTAL_URL]) {
    const pages = [`${server}/docs`, `${server}/problems`, `${server}/problems/not-found`];
    const links = new Set((await Promise.all(pages.map(linksOf))).flat());
    expect(links.size).toBeGreaterThan(20);
    for (const link of links) {
      expect(link.startsWith(`${server}/`)).toBe(true);
      expect([link, (await ask(link, '')).status]).toEqual([link, 200]);
    }
  }
});

it('the address of each server alone leads to a page below its path', async () => {
  const { BASE_URL, ADMIN_URL, PORTAL_URL } = proxied.urls;
  const homes = [`${BASE_URL}/docs`, `${ADMIN_URL}/console/`, `${PORTAL_URL}/`];
  for (const [index, server] of [BASE_URL, ADMIN_URL, PORTAL_URL].entries()) {
    const { status, url } = await fetch(`${server}/`);
    expect([status, url]).toEqual([200, homes[index]]);
  }
});

it('each OpenAPI document names its server', async () => {
  for (const server of Object.values(proxied.urls)) {
    const { body } = await ask(`${server}/openapi.json`, '');
    const [{ url } = { url: '' }] = body['servers'] as { url: string }[];
    expect(new URL(url, server).href).toBe(server);
  }
});

it('quotes know the own address with its path, and no other path of the host', async () => {
  const { BASE_URL, PORTAL_URL } = proxied.urls;
  const { pathname } = new URL(BASE_URL);
  const own = [BASE_URL + RESOURCE, RESOURCE, pathname + RESOURCE];
  const others = [PORTAL_URL + RESOURCE, originOf(BASE_URL) + RESOURCE, `${BASE_URL}x${RESOURCE}`];
  const quoted = await ask(`${BASE_URL}/v1/quotes`, customer.apiKey, {
    method: 'POST',
    body: { urls: [...own, ...others] },
  });
  const items = quoted.body['items'] as { url: string; problem: object | null }[];
  expect(items.map(({ url, problem }) => [url, problem === null])).toEqual([
    ...own.map((url) => [url, true]),
    ...others.map((url) => [url, false]),
  ]);
});

it('an answer leads to its dashboard in the portal', async () => {
  const { text } = await customer.get(RESOURCE);
  expect(text).toContain(`"${proxied.urls.PORTAL_URL}/dashboard/categories/`);
});

describe('people who sign in', () => {
  async function signIn(door: string, page: string) {
    const redirect = 'manual' as const;
    const begin = `${door}/oidc/sign-in?return_to=${encodeURIComponent(page)}`;
    const away = await fetch(begin, { redirect });
    const cookie = cookiesOf(away.headers.getSetCookie());
    const back = await proxied.people.visit(away.headers.get('location') ?? '');
    expect(back.startsWith(`${door}/oidc/callback?`)).toBe(true);
    return fetch(back, { redirect, headers: { cookie } });
  }

  it('with a company account come back below the path, whose cookie they get', async () => {
    const { ADMIN_URL } = proxied.urls;
    proxied.people.person = { sub: 'nadja', name: 'Nadja', roles: ['owner'] };
    const { headers } = await signIn(ADMIN_URL, '/console/invoices');
    expect(headers.get('location')).toBe('/ops/console/invoices');
    const cookies = headers.getSetCookie();
    expect(cookies.filter((cookie) => !/; Path=\/ops;/.test(cookie))).toEqual([]);
    const session = await fetch(`${ADMIN_URL}/admin/v1/session`, {
      headers: { cookie: cookiesOf(cookies) },
    });
    expect(await session.json()).toMatchObject({ name: 'Nadja' });
  });

  it('whom nobody knows come back below the path, too', async () => {
    const { PORTAL_URL } = proxied.urls;
    proxied.people.person = { sub: 'mia', email: 'mia@example.com', email_verified: true };
    const { headers } = await signIn(PORTAL_URL, '/invoices');
    expect(headers.get('location')).toBe('/my/?sign_in=no-account');
  });

  it('read the address of the way in below the path', async () => {
    const { body } = await ask(`${proxied.urls.PORTAL_URL}/portal/v1/session/ways`, '');
    expect(body['oidc']).toBe('/my/oidc/sign-in');
  });

  it('by a link have one to the portal, from operators and by e-mail', async () => {
    const { PORTAL_URL } = proxied.urls;
    const accounts = `/accounts/${customer.accountId}`;
    const { body } = await outside.admin(`${accounts}/portal-sessions`, { role: 'viewer' });
    expect(String(body['url'])).toMatch(new RegExp(`^${PORTAL_URL}/#token=`));
    await outside.admin(`${accounts}/members`, { email: 'mo@example.com' });
    await ask(`${PORTAL_URL}/portal/v1/session/links`, '', {
      method: 'POST',
      body: { email: 'mo@example.com', return_to: '/invoices' },
      headers: { origin: originOf(PORTAL_URL), 'x-requested-with': 'portal' },
    });
    const received = (link: string) =>
      waitFor(link, async () =>
        mails.taken.some(({ to, source }) => {
          const text = source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
          return to.includes('mo@example.com') && text.includes(link);
        }),
      );
    await received(`${PORTAL_URL}/#sign-in=`);
    await received(`${PORTAL_URL}/invoices#sign-in=`);
  });
});

it('the command line asks below the path, and verifies receipts with the keys there', async () => {
  const listed = await popindex(['account', 'list', '--json']);
  expect(listed).toContain(customer.accountId);
  const { headers } = await customer.get(RESOURCE, { prefer: 'receipt' });
  const file = path.join(folder, 'receipts.txt');
  await writeFile(file, `${headers.get('receipt')}\n`);
  expect(await popindex(['verify', '--receipts', file, '--json'])).toMatch(/"verified": ?1\b/);
});

it('the client of a customer calls below the path', async () => {
  expect(await customer.client.quote([RESOURCE])).toMatchObject({ items: [{ problem: null }] });
});
