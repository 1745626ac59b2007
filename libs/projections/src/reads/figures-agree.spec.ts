import fc from 'fast-check';
import { grantCredits, issueApiKey, openAccount, plan } from '#account/scenario.suite.js';
import { SystemStream } from '#event-log/system-stream.js';
import { priceOf } from '#invoice-rules/money.js';
import { call, scene, START, steps, useScene } from '../usage/usage-sums.suite.js';
import type { UsageView } from '../views/account-reads.js';
import { USAGE_DIMENSIONS, type UsageDimension } from '../views/usage-dimension.js';
import type { Writer } from './ledger-scene.suite.js';
import { PostgresInvoiceReads } from './postgres-invoice-reads.js';
import { PostgresStatementReads } from './postgres-statement-reads.js';

useScene();

const GROUPINGS: readonly (readonly UsageDimension[])[] = [
  [],
  ...USAGE_DIMENSIONS.map((one) => [one]),
  ['tag:team'],
  ['day', 'kind'],
  ['window', 'key', 'tags'],
];

interface Terms {
  readonly included: number;
  readonly price: number;
  readonly granted: number;
}

const anyTerms = fc.record<Terms>({
  included: fc.constantFrom(0, 1_000, 60_000),
  price: fc.integer({ min: 0, max: 9_999 }),
  granted: fc.constantFrom(1, 5_000, 80_000),
});

/** An account with a plan, which is billed for what its credits do not cover. */
async function customer({ included, price, granted }: Terms): Promise<Writer> {
  const writer = scene.writer();
  const terms = { ...plan, included_credits: included, price_per_1000_credits: price };
  await writer.write(START, openAccount({ plan: terms, overdraft: null }));
  await writer.write(START, issueApiKey({ hash: writer.hash }));
  const other = { keyId: 'key-2', hash: writer.hash.replace(/^0/, 'f') };
  await writer.write(START, issueApiKey(other));
  await writer.write(START, grantCredits(granted, { kind: 'promotional' }));
  return writer;
}

interface Sums {
  readonly calls: number;
  readonly credits: number;
}

function added(items: readonly { calls: number; credits: number }[]): Sums {
  return items.reduce(
    (sum, { calls, credits }) => ({ calls: sum.calls + calls, credits: sum.credits + credits }),
    { calls: 0, credits: 0 },
  );
}

async function usage(
  { id }: Writer,
  now: number,
  by: readonly UsageDimension[],
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
): Promise<readonly (UsageView & { credits: number })[]> {
  const range = { from: startsAt, to: endsAt, asOf: null, after: null, limit: 1_000 };
  const page = await scene.reads(now).usage(id, { ...range, by });
  return (page?.items ?? []).map((item) => ({ ...item, credits: item.credits_used }));
}

/** Fails if two reads of the account differ at a moment. */
async function expectToAgree(writer: Writer, now: number, price: number): Promise<void> {
  const { calendar, pool } = scene;
  const clock = { now: () => now };
  const month = calendar.monthAt(now);
  const window = calendar.windowAt(now);
  const [all] = await usage(writer, now, [], month);
  const sums = added(all === undefined ? [] : [all]);
  for (const by of GROUPINGS) {
    expect([by, added(await usage(writer, now, by, month))]).toEqual([by, sums]);
  }

  const invoices = new PostgresInvoiceReads(pool, new SystemStream(scene.log), calendar, clock);
  const draft = await invoices.draft(writer.id);
  const lines = draft?.lines ?? [];
  expect(added(lines.filter((line) => line.type === 'usage'))).toEqual(sums);

  const statements = new PostgresStatementReads(pool, calendar, clock);
  const statement = await statements.statement(writer.id, month.label);
  expect(added(statement?.charges ?? [])).toEqual(sums);

  const account = await scene.reads(now).account(writer.id);
  expect(statement?.closing_balance).toBe(account?.balance);
  const ofWindow = { window: null, after: null, limit: 1_000, asOf: null };
  const keys = await scene.reads(now).windows(writer.id, ofWindow);
  const inWindow = added((keys?.items ?? []).map((key) => ({ ...key, credits: key.credits_used })));
  expect(inWindow).toEqual(added(await usage(writer, now, [], window)));
  expect(account?.window_credits_used).toBe(inWindow.credits);

  const overage = priceOf(Math.max(0, -(account?.balance ?? 0)), price);
  expect(draft?.net).toBe(plan.monthly_fee + overage);
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(draft?.net);
}

test('the account, usage in any grouping, weeks, the draft of the invoice and the statement agree', async () => {
  await fc.assert(
    fc.asyncProperty(steps, anyTerms, async (made, terms) => {
      const writer = await customer(terms);
      const now = await call(writer, made);
      await expectToAgree(writer, now, terms.price);
    }),
    { numRuns: 25 },
  );
});
