import { randomUUID } from 'node:crypto';
import { grantCredits, terms } from '#account/scenario.suite.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import type { Decider } from '#deciding/submission.js';
import type { EventLog } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { BillingChanges } from './billing-changes.js';
import { Payments } from './payments.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { Profiles } from '#projections/texts/profiles.js';
import { itemsOf, type AdminStage } from '../../../test/setup/admin-stage.js';
import { Fallen, FallingProcesses, STEPS } from './falling-processes.suite.js';
import { customer } from '../../../test/setup/invoicing-stage.js';

const PAY: Change = { by: 'owner', requestId: 'r', idempotencyKey: 'pay-1', input: 'i' };

let processes: FallingProcesses;
let stage: AdminStage;

beforeEach(async () => {
  processes = await FallingProcesses.open();
  ({ stage } = processes);
});

afterEach(() => processes.close());

/** Another process of the service, which falls before or after it has recorded something. */
function another(falls: 'before' | 'after' | null): Payments {
  const pool = processes.opened();
  const clock = { now: () => stage.now };
  let isFallen = false;
  const fall = (): never => {
    isFallen = true;
    throw new Fallen();
  };
  const accounting: Decider = {
    submit: async (submission) => {
      if (falls === 'before') fall();
      const answer = await stage.accounting.submit(submission);
      if (falls === 'after') fall();
      return answer;
    },
  };
  const log: Pick<EventLog, 'findCalls'> = {
    findCalls: async (calls) => (isFallen ? fall() : stage.log.findCalls(calls)),
  };
  const correctionUnder = async () => undefined;
  const profiles = new Profiles(pool);
  const changes = new AccountChanges({ accounting, profiles, clock, correctionUnder });
  const loader = new AccountLoader(pool);
  const { calendar } = terms;
  const { periods } = stage.invoicing;
  const reads = new PostgresInvoiceReads(pool, new SystemStream(stage.log), calendar, clock);
  const billing = new BillingChanges({ changes, loader, log, pool, calendar, clock });
  return new Payments({ changes: billing, reads, periods, pool });
}

async function countOf(type: string): Promise<number> {
  const { rows } = await stage.pool.query('select from event where type = $1', [type]);
  return rows.length;
}

async function sold(id: string, price: number): Promise<void> {
  await stage.post(`/accounts/${id}/grants`, { credits: 10, kind: 'purchased', price });
}

it.each(['before', 'after'] as const)(
  'a payment whose process falls %s it is recorded happens once',
  async (falls) => {
    const id = await customer(stage, { test_clock: undefined, plan: null });
    await sold(id, 1_000);
    const body = { amount: 1_500, reference: null, apply: undefined };
    await expect(another(falls).receive(id, PAY, body)).rejects.toThrow(Fallen);
    const made = await Promise.all([1, 2, 3].map(() => another(null).receive(id, PAY, body)));
    expect(new Set(made.map(({ view }) => view.id)).size).toBe(1);
    expect(made[0]?.view).toMatchObject({
      applied: [{ number: 'INV-000001', amount: 1_000 }],
      credit_balance_change: 500,
    });
    expect(await countOf('PaymentRecorded')).toBe(1);
  },
);

it.each(STEPS)('an invoice whose process falls %s uses the credit balance once', async (step) => {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  await stage.post(`/accounts/${id}/payments`, { amount: 700 });
  const { refusal } = await stage.accounting.submit({
    accountId: id,
    callId: randomUUID(),
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: grantCredits(10, { price: 1_000 }),
  });
  expect(refusal).toBeNull();
  await expect(processes.another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
  await processes.catchUp();
  await Promise.all([1, 2].map(() => processes.another().documents.issueAll()));
  await processes.another().numberUnfinished();
  expect(await countOf('CreditBalanceApplied')).toBe(1);
  const invoices = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  expect(invoices).toMatchObject([{ state: { paid: 700, due: 300 } }]);
  const { json } = await stage.get(`/accounts/${id}/receivables`);
  expect(json).toMatchObject({ balance: 300, credit_balance: 0 });
});
