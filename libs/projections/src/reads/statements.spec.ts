import {
  adjust,
  allBeauty,
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  plan,
  voidGrant,
} from '#account/scenario.suite.js';
import type { OpenAccount } from '#account/account.js';
import { checkArithmetic, checkHead, checkStatement } from '#invoice-rules/check-statement.js';
import type { Statement } from '#invoice-rules/statement.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { resourceKey } from '#rating/resource-key.js';
import { ledgerScene, type Writer } from './ledger-scene.suite.js';
import { PostgresStatementReads } from './postgres-statement-reads.js';
import type { StatementView } from '../views/statement-reads.js';

/** Thirteen hours ahead of UTC, so that local days and months are others. */
const ZONE = 'Pacific/Auckland';
/** Noon of a local day. */
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00+13:00`);

const scene = ledgerScene(ZONE);

async function read(writer: Writer, month: string, now: number): Promise<StatementView> {
  const reads = new PostgresStatementReads(scene.pool, scene.calendar, { now: () => now });
  const statement = await reads.statement(writer.id, month);
  if (statement === undefined) throw new Error(`There is no statement of ${month}.`);
  return statement;
}

async function opened(at: number, changes: Partial<OpenAccount> = {}): Promise<Writer> {
  const writer = scene.writer();
  await writer.write(at, openAccount(changes));
  await writer.write(at, issueApiKey({ hash: writer.hash }));
  return writer;
}

async function call(writer: Writer, at: number): Promise<void> {
  const resource = { ...allBeauty, limit: 'top5' } as const;
  const window = scene.calendar.windowAt(at).label;
  const key = resourceKey(resource, window);
  await writer.write(at, callAt(at, { resource, window, key, asked: key }));
}

/** The faults found with the statement, the exported calls and the events, without a database. */
async function faultsOf(writer: Writer, statement: StatementView, now: number): Promise<string[]> {
  const page = { after: null, limit: 1_000, order: 'asc', from: null, to: null } as const;
  const filter = {
    ...page,
    resourceKey: null,
    resource: null,
    region: null,
    rule: null,
    kind: null,
    apiKeyId: null,
    tag: null,
  };
  const calls = (await scene.reads(now).calls(writer.id, filter))?.items ?? [];
  const { from, to } = statement.account_version;
  const events = (await writer.history()).slice(from - 1, to);
  const whole = statement as Statement;
  return [
    ...checkArithmetic(whole),
    ...checkStatement(whole, calls, scene.calendar),
    ...(statement.final ? await checkHead(statement, events, hashEvent) : []),
  ];
}

const OCTOBER = noonOf('2026-10-20');
const NOVEMBER = noonOf('2026-11-03');
const DECEMBER = noonOf('2026-12-02');

/** Two months of a prepaid account: it bought, used, gave back, lost and was taken. */
async function prepaid(): Promise<Writer> {
  const writer = await opened(OCTOBER);
  await writer.write(OCTOBER, grantCredits(500, { expiresAt: noonOf('2026-11-20') }));
  await call(writer, OCTOBER + 1);
  await call(writer, Date.parse('2026-10-31T10:59:59.999Z'));
  await call(writer, Date.parse('2026-10-31T11:00:00.000Z'));
  await writer.write(NOVEMBER, grantCredits(300, { grantId: 'grant-b' }));
  await writer.write(NOVEMBER + 1, adjust(-7));
  await writer.write(NOVEMBER + 2, adjust(20));
  await call(writer, NOVEMBER + 3);
  await call(writer, NOVEMBER + 4);
  await writer.write(noonOf('2026-11-25'), voidGrant('grant-b'));
  await writer.write(DECEMBER, grantCredits(11));
  return writer;
}

test.each([false, true])(
  'a closed month lists all that moved the balance, projected: %s',
  async (isProjected) => {
    const writer = await prepaid();
    if (isProjected) await scene.project(writer.id);
    const october = await read(writer, '2026-10', DECEMBER);
    // One millisecond before local midnight belongs to October, midnight to November.
    expect(october).toMatchObject({
      final: true,
      time_zone: ZONE,
      opening_balance: 0,
      grants: [{ kind: 'purchased', credits: 500 }],
      charges: [
        { day: '2026-10-20', calls: 1, credits: 35 },
        { day: '2026-10-31', calls: 1, credits: 35 },
      ],
      closing_balance: 430,
      opening_head: '0'.repeat(64),
    });
    const november = await read(writer, '2026-11', DECEMBER);
    expect(november).toMatchObject({
      final: true,
      opening_balance: 430,
      grants: [{ kind: 'purchased', credits: 300 }],
      adjustments: [{ credits: -7 }, { credits: 20, reason: 'Goodwill.' }],
      charges: [
        { day: '2026-11-01', calls: 1, credits: 10 },
        { day: '2026-11-03', calls: 2, credits: 45 },
      ],
      expiries: [{ at: '2026-11-19T23:00:00.000Z', credits: 368 }],
      voids: [{ credits: 300 }],
      billed_credits: 0,
      closing_balance: 20,
    });
    expect(await faultsOf(writer, october, DECEMBER)).toEqual([]);
    expect(await faultsOf(writer, november, DECEMBER)).toEqual([]);
  },
);

test('a debt that a plan bills is shown as billed, and the next month begins at 0', async () => {
  const terms = { plan: { ...plan, included_credits: 5 }, overdraft: null };
  const writer = await opened(OCTOBER, terms);
  await call(writer, OCTOBER + 1);
  await call(writer, NOVEMBER);
  const october = await read(writer, '2026-10', NOVEMBER + 1);
  expect(october).toMatchObject({
    grants: [{ kind: 'included', credits: 5 }],
    billed_credits: 30,
    closing_balance: 0,
  });
  expect(await faultsOf(writer, october, NOVEMBER + 1)).toEqual([]);
});

test('a month that runs is shown as far as it has come, bills nothing and has no head', async () => {
  const writer = await opened(OCTOBER, { plan: { ...plan, included_credits: 5 }, overdraft: null });
  await call(writer, OCTOBER + 1);
  const statement = await read(writer, '2026-10', OCTOBER + 2);
  expect(statement).toMatchObject({ final: false, billed_credits: 0, closing_balance: -30 });
  expect(statement).not.toHaveProperty('account_head');
  expect(await faultsOf(writer, statement, OCTOBER + 2)).toEqual([]);
});

test('a month that has ended and is not closed yet has no head either', async () => {
  const writer = await opened(OCTOBER, { plan: { ...plan, included_credits: 5 }, overdraft: null });
  await call(writer, OCTOBER + 1);
  const statement = await read(writer, '2026-10', NOVEMBER);
  expect(statement).toMatchObject({ final: false, month: '2026-10', closing_balance: -30 });
  expect(await read(writer, '2026-11', NOVEMBER)).toMatchObject({
    final: false,
    opening_balance: 0,
    grants: [{ kind: 'included', credits: 5 }],
    charges: [],
    closing_balance: 5,
  });
});

test('a month in which nothing happened ends as it began', async () => {
  const writer = await prepaid();
  const april = noonOf('2027-04-02');
  await writer.write(april, grantCredits(100, { grantId: 'grant-c' }));
  await call(writer, april);
  const march = await read(writer, '2027-03', april);
  const december = await read(writer, '2026-12', april);
  expect(march).toMatchObject({
    final: true,
    opening_balance: december.closing_balance,
    charges: [],
    closing_balance: december.closing_balance,
  });
  expect(await faultsOf(writer, march, april)).toEqual([]);
  const { opening_head: next } = await read(writer, '2027-04', april);
  expect(march).toMatchObject({ opening_head: next, account_head: next });
});

test('there is none of a month before the account, of one to come, and of no account', async () => {
  const writer = await opened(OCTOBER);
  const reads = new PostgresStatementReads(scene.pool, scene.calendar, { now: () => OCTOBER });
  const stranger = '0197c000-0000-7000-8000-00000000ffff';
  expect(await reads.statement(writer.id, '2026-09')).toBeUndefined();
  expect(await reads.statement(writer.id, '2026-11')).toBeUndefined();
  expect(await reads.statement(stranger, '2026-10')).toBeUndefined();
});
