import pg from 'pg';
import { exampleOf } from '#rest/operation/examples.js';
import { ADMIN, PORTAL, PUBLIC, type Interface } from '#rest/operation/interfaces.js';
import type { Operation } from '#rest/operation/operation.js';
import { LISTEN } from '#rest/feed/feed.operations.js';
import { RESOURCES } from '#rest/resources.js';
import { Service } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const NOBODY = '0197c000-0000-7000-8000-000000000000';
/** Required parameters of queries. */
const QUERIES: Readonly<Record<string, string>> = {
  '/exports/open-items': '',
  '/views': `path=${encodeURIComponent(PATH)}`,
  '/revenue-schedule': 'from=2026-10&to=2026-11',
  '/exports/': 'month=2026-10',
  '/search': 'q=demo',
  '{version}/diff': 'against=1',
};
/** Values of path parameters; all others are an id that is none. */
const VALUES: Readonly<Record<string, string>> = {
  month: '2026-10',
  number: 'INV-000001',
  line: '1',
  version: '1',
};

/** Who was let in, and when: noted of whoever asks for anything. */
const ACCESS: ReadonlySet<string> = new Set(['public.admin_token_use', 'public.sign_in_record']);

/** Headers of one who may only look. */
type Reader = Readonly<Record<string, string>>;

let service: Service;
let database: pg.Client;

beforeAll(async () => {
  service = await Service.start();
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
}, 150_000);
afterAll(async () => {
  await database.end();
  await service.stop();
});

/** The number of rows of each table: those of events are the positions of the log. */
async function rowsOfAll(): Promise<Record<string, number>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const kept = tables.filter(({ name }) => !ACCESS.has(name));
  const counts = kept.map(({ name }) => `select '${name}' as name, count(*)::int from ${name}`);
  const { rows } = await database.query<{ name: string; count: number }>(
    counts.join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** The rows once every projection has come to the end of every lane. */
async function rowsAtRest(): Promise<Record<string, number>> {
  await waitFor('the projections have caught up', async () => {
    const { rows } = await database.query<{ behind: boolean }>(
      `select exists (select from lane l join checkpoint c using (lane)
                       where c.position < l.position) as behind`,
    );
    return rows[0]?.behind === false;
  });
  return rowsOfAll();
}

/** Reads that `mayAsk` opens. One that takes a log keeps what it found, and says so (201). */
function readsOf(to: Interface, mayAsk: (operation: Operation) => boolean) {
  return RESOURCES.flatMap(({ operations }) => operations).flatMap((operation) => {
    const path = to.pathOf(operation);
    const { kind, access, stream } = operation;
    const looks = kind === 'read' && access.isOpen !== true && stream === undefined;
    const isAsked = looks && operation !== LISTEN && mayAsk(operation);
    return isAsked && path !== undefined ? [{ operation, path: to.prefix + path }] : [];
  });
}

/** Asks each read of an interface for an answer and, where it has one, for its headers alone. */
async function readAll(
  origin: string,
  reads: ReturnType<typeof readsOf>,
  account: string,
  reader: Reader,
): Promise<string[]> {
  const answered: string[] = [];
  for (const { operation, path } of reads) {
    const values: Readonly<Record<string, string>> = { ...VALUES, account_id: account };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? NOBODY);
    const query = Object.entries(QUERIES).find(([part]) => path.includes(part))?.[1] ?? '';
    const { body, method } = operation;
    for (const verb of method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]) {
      const response = await fetch(`${origin}${address}?${query}`, {
        method: verb,
        headers: { ...reader, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(exampleOf(body)) }),
      });
      await response.arrayBuffer();
      const { status } = response;
      answered.push(`${status} ${verb} ${path}`);
    }
  }
  return answered;
}

async function viewerOf(account: string): Promise<{ origin: string; reader: Reader }> {
  const { body } = await service.admin(`/accounts/${account}/portal-sessions`, { role: 'viewer' });
  const { origin, hash } = new URL(String(body['url']));
  const headers = { origin, 'x-requested-with': 'portal' };
  const response = await fetch(`${origin}/portal/v1/session`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.replace('#token=', '') }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { origin, reader: { ...headers, cookie } };
}

async function supportToken(): Promise<Reader> {
  const { body } = await service.admin('/admin-tokens', { name: 'A reader', role: 'support' });
  return { authorization: `Bearer ${String(body['token'])}` };
}

async function demoAccount(): Promise<string> {
  const { body } = await service.admin('/accounts?limit=1&order=asc');
  return String((body['items'] as { id: string }[])[0]?.id);
}

test('looking writes nothing: no event and no row, whoever looks at what', async () => {
  // One that nobody has looked at yet: what is made at a first look would be made now.
  const fresh = (await service.customer(100_000)).accountId;
  const support = await supportToken();
  const readers = [];
  for (const account of [fresh, await demoAccount()]) {
    const { body } = await service.admin(`/accounts/${account}/api-keys`, { label: 'Looks' });
    const key = { authorization: `Bearer ${String(body['key'])}` };
    readers.push({ account, key, viewer: await viewerOf(account) });
  }
  const before = await rowsAtRest();
  const answered: string[] = [];
  for (const { account, key, viewer } of readers) {
    const ofViewers = readsOf(PORTAL, ({ access }) => access.session === 'viewer');
    answered.push(...(await readAll(viewer.origin, ofViewers, account, viewer.reader)));
    const ofSupport = readsOf(ADMIN, ({ access }) => access.roles?.includes('support') === true);
    answered.push(...(await readAll(service.adminUrl, ofSupport, account, support)));
    answered.push(
      ...(await readAll(
        service.apiUrl,
        readsOf(PUBLIC, () => true),
        account,
        key,
      )),
    );
    const price = await fetch(service.apiUrl + PATH, { method: 'HEAD', headers: key });
    expect(price.status).toBe(200);
  }
  // What is not paid for yet is shown with its price: 412.
  const wrong = answered.filter((one) => !/^(?:200|404|412 \w+ \/portal\/v1\/views)/.test(one));
  expect(wrong).toEqual([]);
  expect(answered.filter((one) => one.startsWith('200')).length).toBeGreaterThan(200);
  expect(await rowsAtRest()).toEqual(before);
}, 150_000);
