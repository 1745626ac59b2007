import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { inLong } from '../setup/long.js';
import type { Answer, Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const BALANCE = 1_000_000;

let folder: string;
let postgres: EmbeddedPostgres;
let service: SplitService;
let operator: pg.Client;
let customer: Customer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-undecidable-'));
  postgres = await EmbeddedPostgres.start({ dataDir: path.join(folder, 'data') });
  await importDemoRelease(postgres.url, folder);
  service = await SplitService.start(postgres.serviceUrl, {
    MIGRATION_DATABASE_URL: postgres.url,
    LOG_LEVEL: 'fatal',
  });
  operator = new pg.Client({ connectionString: postgres.url });
  await operator.connect();
  customer = await service.customer(BALANCE);
}, 180_000);

afterAll(async () => {
  await operator.end();
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function readiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: await response.text() };
}

async function bothSay(status: number): Promise<void> {
  for (const url of [service.adminUrl, service.apiUrl]) {
    await waitFor(`${url} says ${status}`, async () => (await readiness(url)).status === status);
  }
}

async function balance(): Promise<unknown> {
  return (await service.admin(`/accounts/${customer.accountId}`)).body['balance'];
}

function expectNotCharged({ status, body, headers }: Answer): void {
  expect([status, body['code']]).toEqual([503, 'accounting-unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

const APPEND =
  'function append_lanes(int2, int2[], int8[], bytea[], int8[], bytea[], int2[], int8[], uuid[], int8[], uuid[], text[], timestamptz[], json[])';

/** Changes by an operator: name, statement, and the statement that takes it back. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['locks the events', 'begin; lock table event', 'rollback'],
  [
    'takes away the right to append',
    `revoke execute on ${APPEND} from public`,
    `grant execute on ${APPEND} to public`,
  ],
  ['renames a table', 'alter table batch rename to lost', 'alter table lost rename to batch'],
  ...inLong<readonly [string, string, string]>(
    ['locks the lanes against changes', 'begin; lock table lane in share mode', 'rollback'],
    ['locks the batches', 'begin; lock table batch', 'rollback'],
    ['locks the rows of all lanes', 'begin; select from lane for update', 'rollback'],
    [
      'takes away the right to add events',
      'revoke insert on event from popindex_service',
      'grant insert on event to popindex_service',
    ],
    [
      'takes away the right to read lanes',
      'revoke select on lane from popindex_service',
      'grant select on lane to popindex_service',
    ],
  ),
];

test.each(CASES)(
  'while an operator %s no process is ready, calls are refused as not charged, and all goes on afterwards',
  async (_what, begin, end) => {
    await waitFor('a call is charged', async () => (await customer.get(PATH)).status === 200);
    const before = await balance();
    await operator.query(begin);
    const meanwhile: Answer[] = [];
    try {
      meanwhile.push(await customer.get(PATH));
      // The next one finds out, where only commands that wait show it.
      const going = Promise.all([customer.get(PATH), customer.get(PATH)]);
      await bothSay(503);
      meanwhile.push(...(await going));
    } finally {
      await operator.query(end);
    }
    for (const answer of meanwhile) expectNotCharged(answer);
    await bothSay(200);
    await waitFor('a call is charged', async () => (await customer.get(PATH)).status === 200);
    expect(Number(before) - Number(await balance())).toBe(10);
  },
  120_000,
);

test('while what deciding reads cannot be read, known accounts go on, others are refused as not charged, and a warning says so', async () => {
  expect((await customer.get(PATH)).status).toBe(200);
  await operator.query('alter table ledger_opened owner to popindex');
  const fresh = await service.customer(BALANCE);
  const refused = await fresh.get(PATH);
  for (const url of [service.adminUrl, service.apiUrl]) {
    await waitFor(`${url} warns`, async () =>
      (await readiness(url)).text.includes('Calls of which nothing is remembered are refused'),
    );
  }
  expect((await customer.get(PATH)).status).toBe(200);
  await operator.query('alter table ledger_opened owner to popindex_service');
  expectNotCharged(refused);
  await bothSay(200);
  await waitFor('it is charged', async () => (await fresh.get(PATH)).status === 200);
}, 60_000);
