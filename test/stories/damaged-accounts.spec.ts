import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ask, Service, type Customer } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const CALL = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
/** Which event of each damaged account is changed, and how. */
const DAMAGES = [
  ['AccountOpened', 'account_version = account_version + 7'],
  ['CreditsGranted', `data = '{}'`],
  ['CreditsGranted', `data = '[null]'`],
] as const;

/** Reads of operators over all accounts. */
const MONTH = new Date().toISOString().slice(0, 7);
const LISTS = ['/accounts', '/invoices', '/audit'];
/** Exports, which would look whole without them. */
const BOOKS = [
  `/exports/invoices?month=${MONTH}`,
  `/exports/invoices?issued_month=${MONTH}&format=journal`,
  `/exports/credit-liability?month=${MONTH}`,
  `/exports/revenue-schedule?from=${MONTH}&to=${MONTH}`,
];

/** A command that did what was asked. */
const DONE = [0, expect.any(String)];

/** Where the event of a damaged account stands, as the console shows it. */
interface Damaged {
  readonly account_id: string;
  readonly lane: number;
  readonly position: number;
}

let service: Service;
let folder: string;
let copy: TestDatabase;
let neighbour: Customer;
let damaged: Customer[];
/** Pages of the portal that are open: account and what shows it. */
let pages: Map<string, () => Promise<number>>;

beforeAll(async () => {
  [service, copy] = await Promise.all([Service.start(), createTestDatabase()]);
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-damaged-'));
  neighbour = await service.customer(1_000);
  damaged = await Promise.all(DAMAGES.map(() => service.customer(1_000)));
  pages = new Map(await Promise.all([neighbour, ...damaged].map(openPortal)));
  expect(await popindex(service.databaseUrl, 'backup', folder)).toEqual(DONE);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await copy.drop();
  await rm(folder, { recursive: true, force: true });
});

async function openPortal({ accountId }: Customer): Promise<[string, () => Promise<number>]> {
  const { body } = await service.admin(`/accounts/${accountId}/portal-sessions`, {});
  const { origin, hash } = new URL(String(body.url));
  const headers = { origin, 'x-requested-with': 'portal' };
  const token = hash.replace('#token=', '');
  const url = `${origin}/portal/v1`;
  const signedIn = await ask(`${url}/session`, '', { method: 'POST', headers, body: { token } });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return [accountId, async () => (await ask(`${url}/account`, '', { headers: { cookie } })).status];
}

/** A command as an operator runs it: its exit code and what it printed. */
async function popindex(url: string, ...args: string[]): Promise<[number | null, string]> {
  const env = { DATABASE_URL: url, DATA_DIR: path.join(folder, 'data') };
  const program = ServiceProcess.spawn('popindex', env, null, args);
  return [await program.end(), program.output];
}

/** Runs statements as the owner of a database; answers the rows of the last one. */
async function sql<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const owner = new pg.Client(url);
  await owner.connect();
  let rows: Row[] = [];
  for (const statement of statements) ({ rows } = await owner.query<Row>(statement));
  await owner.end();
  return rows;
}

async function statuses(customer: Customer): Promise<unknown[]> {
  const { accountId } = customer;
  const shown = await service.admin(`/accounts/${accountId}`);
  return [(await customer.get(CALL)).status, shown.status, await pages.get(accountId)?.()];
}

async function warnings(): Promise<unknown> {
  const { status, body } = await ask(`${service.adminUrl}/readyz`, '');
  expect(status).toBe(200);
  return body.warnings;
}

async function damagedByConsole(): Promise<Damaged[]> {
  const { body } = await service.admin('/projections');
  const [ledger] = body.items as { readonly damaged_accounts: Damaged[] }[];
  return ledger?.damaged_accounts ?? [];
}

/** The statement of the procedure by which PostgreSQL writes the one that puts an event back. */
async function writesRepair({ lane, position }: Damaged): Promise<string> {
  const guide = await readFile(path.resolve('docs/operating.md'), 'utf8');
  const shown = /## When an account is damaged[^]*?```sql\n([^]*?)```/.exec(guide)?.[1] ?? '';
  return shown.replace('LANE', String(lane)).replace('POSITION', String(position));
}

const ids = () => damaged.map(({ accountId }) => accountId).toSorted();

it('starts beside accounts that were damaged, and serves all others', async () => {
  await service.process.stop();
  const damages = DAMAGES.map(([type, set], index) => {
    const id = String(damaged[index]?.accountId);
    return `update event set ${set} where account_id = '${id}' and type = '${type}'`;
  });
  await sql(
    service.databaseUrl,
    ...damages,
    'truncate ledger_account, ledger_opened, ledger_api_key, ledger_snapshot',
    `update checkpoint set position = 0 where projection = 'ledger'`,
  );
  await service.restart();
  expect(await statuses(neighbour)).toEqual([200, 200, 200]);
  for (const customer of damaged) expect(await statuses(customer)).toEqual([503, 503, 503]);
  for (const list of LISTS) expect([list, (await service.admin(list)).status]).toEqual([list, 200]);
  for (const book of BOOKS) {
    const { status, body } = await service.admin(book);
    expect([book, status]).toEqual([book, 409]);
    for (const id of ids()) expect(body.detail).toContain(id);
  }
}, 30_000);

it('shows their number to everybody, and their ids to operators', async () => {
  const [warning] = (await warnings()) as string[];
  expect(warning).toMatch(/^3 accounts are damaged/);
  expect(warning).not.toMatch(/[0-9a-f]{8}-/);
  const { text } = await ask(`${service.adminUrl}/metrics`, '');
  expect(text).toMatch(/^popindex_damaged_accounts 3$/m);
  const found = await damagedByConsole();
  expect(found.map(({ account_id }) => account_id).toSorted()).toEqual(ids());
  for (const { account_id, lane, position } of found) {
    const line = service.process.output.split('\n').find((each) => each.includes(account_id));
    const said = { projection: 'ledger', lane, position, error: expect.any(String) as string };
    expect(JSON.parse(line ?? '{}')).toMatchObject(said);
  }
  const [code, report] = await popindex(service.databaseUrl, 'verify', '--json');
  expect([code, report]).toEqual([1, expect.stringMatching(/"check": "accounts"/)]);
}, 30_000);

it('serves them again once they are repaired as the guide says', async () => {
  expect(await popindex(copy.url, 'restore', folder)).toEqual(DONE);
  for (const place of await damagedByConsole()) {
    const [written] = await sql<{ format: string }>(copy.url, await writesRepair(place));
    await sql(service.databaseUrl, written?.format ?? 'none');
  }
  const [code, printed] = await popindex(
    service.databaseUrl,
    'projections',
    'rebuild',
    '--damaged',
  );
  expect([code, printed]).toEqual([0, expect.stringMatching(/No account is damaged\.\n$/)]);
  for (const customer of damaged) expect(await statuses(customer)).toEqual([200, 200, 200]);
  for (const book of BOOKS) expect([book, (await service.admin(book)).status]).toEqual([book, 200]);
  expect(await warnings()).toEqual([]);
  expect(await popindex(service.databaseUrl, 'verify')).toEqual(DONE);
  // The service knows of both, though other processes have verified.
  const { body } = await service.admin('/verifications');
  const verified = body.items as { intact: boolean }[];
  expect(verified.map(({ intact }) => intact)).toEqual([false, true]);
  expect((await service.admin('/verify')).body).toEqual(verified[1]);
}, 60_000);
