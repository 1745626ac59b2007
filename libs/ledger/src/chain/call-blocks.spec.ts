import type pg from 'pg';
import { verifyInclusion } from '../../../client/src/inclusion.js';
import type { Receipt } from '../../../client/src/receipts.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import type { Invoice } from '#billing/invoice.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { appendAll } from '../../../../test/setup/log-steps.js';
import { TestAccount } from '../../../../test/setup/test-events.js';
import { CallInclusions } from '../reads/call-inclusion.js';
import { readBlocks, readLeafPath } from './call-blocks.js';
import { readCallsRoots } from './calls-roots.js';

const BLOCK = 4;
const EVENTS = 45;

let database: TestDatabase;
let pool: pg.Pool;
/** Its third and each seventh event are no calls. */
let account: TestAccount;
let calls: { readonly version: number; readonly head: string; readonly callId: string }[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'call-blocks-spec' });
  const log = new PostgresEventLog(pool, database.groups);
  account = TestAccount.inLane(7);
  const isCall = (version: number) => version !== 3 && version % 7 > 0;
  const events = Array.from({ length: EVENTS }, (_, n) =>
    account.next(isCall(n + 1) ? {} : { type: 'Adjusted' }),
  );
  await appendAll(log, [events]);
  calls = events
    .filter(({ type }) => type === 'CallMade')
    .map(({ accountVersion, hash, callId }) => {
      return { version: accountVersion, head: hash, callId: callId ?? '' };
    });
});

afterEach(() => jest.restoreAllMocks());

afterAll(async () => {
  await pool.end();
  await database.drop();
});

function receiptOf(of: { version: number; head: string; callId: string }): Receipt {
  const { version: account_version, head: account_head, callId: call_id } = of;
  return { call_id, account_id: account.id, account_version, account_head } as Receipt;
}

test('calls in blocks have the root of all calls, and each its path to it', async () => {
  for (const to of [4, 6, 9, 20, EVENTS]) {
    const month = { accountId: account.id, from: 2, to };
    const of = calls.filter(({ version }) => version >= 2 && version <= to);
    const { blocks, ...tree } = await readBlocks(pool, month, BLOCK);
    expect([tree]).toEqual(await readCallsRoots(pool, [month]));
    expect(blocks).toHaveLength(Math.ceil(of.length / BLOCK));
    for (const [index, call] of of.entries()) {
      const leaf = await readLeafPath(pool, month, call.version, blocks, BLOCK);
      expect(leaf).toMatchObject({ head: call.head, index });
      const proof = { call_id: call.callId, leaf_index: index, path: leaf?.path ?? [] };
      const invoice = { account_id: account.id, account_version: month, calls_tree: tree };
      await verifyInclusion(receiptOf(call), proof, invoice);
    }
    expect(await readLeafPath(pool, month, 3, blocks, BLOCK)).toBeUndefined();
    expect(await readLeafPath(pool, month, 1, blocks, BLOCK)).toBeUndefined();
  }
});

/** Invoices of all calls, which differ in nothing but their numbers. */
async function invoices(count: number): Promise<Invoice[]> {
  const [calls_tree] = await readCallsRoots(pool, [{ accountId: account.id, from: 1, to: EVENTS }]);
  return Array.from({ length: count }, (_, n) => {
    const number = `INV-00000${n}`;
    const account_version = { from: 1, to: EVENTS };
    return { number, account_id: account.id, account_version, calls_tree } as Invoice;
  });
}

test('the calls of an invoice are read once, however many paths are asked for', async () => {
  const inclusions = new CallInclusions(pool);
  const [invoice] = await invoices(1);
  const query = jest.spyOn(pool, 'query');
  const whole = () => query.mock.calls.length;
  await inclusions.find(invoice as Invoice, calls[0]?.callId ?? '');
  const first = whole();
  const [one, other] = await Promise.all(
    [calls[20], calls[30]].map((call) => inclusions.find(invoice as Invoice, call?.callId ?? '')),
  );
  expect([one?.leaf_index, other?.leaf_index]).toEqual([20, 30]);
  expect(whole() - first).toBeLessThan(2 * first);
});

test('of many invoices at once some are refused, and found when they are asked for again', async () => {
  const inclusions = new CallInclusions(pool);
  const asked = await invoices(9);
  let refused: (reason: unknown) => void = () => undefined;
  const refusal = new Promise((resolve) => (refused = resolve));
  const query = pool.query.bind(pool) as (...of: unknown[]) => Promise<unknown>;
  // No month is read before one of them is refused.
  jest.spyOn(pool, 'query').mockImplementation(async (...of: unknown[]) => {
    if ((of[0] as { name?: string }).name === 'chain-events') await refusal;
    return query(...of);
  });
  const ask = (invoice: Invoice) => inclusions.find(invoice, calls[5]?.callId ?? '');
  const asking = asked.map((invoice) => ask(invoice).catch(refused));
  expect(await refusal).toMatchObject({ name: 'ReadsBusyError' });
  const found = await Promise.all(asking);
  expect(found.filter((one) => one !== undefined)).toHaveLength(8);
  for (const invoice of asked) expect(await ask(invoice)).toMatchObject({ leaf_index: 5 });
});

test('calls that do not lead to what the invoice names prove nothing', async () => {
  const [invoice] = await invoices(1);
  const other = { ...(invoice as Invoice), calls_tree: { count: 1, root: '00'.repeat(32) } };
  const found = new CallInclusions(pool).find(other, calls[5]?.callId ?? '');
  await expect(found).rejects.toThrow('it names 0000');
});
