import fc from 'fast-check';
import type pg from 'pg';
import { terms } from '#account/scenario.suite.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import type { Decider } from '#deciding/submission.js';
import type { EventLog } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { readBilling } from '#projections/invoices/account-billing.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { Profiles } from '#projections/texts/profiles.js';
import { caughtUp, customer } from '../../../../test/setup/invoicing-stage.js';
import { BillingChanges } from '../billing-changes.js';
import { Fallen, FallingProcesses } from '../falling-processes.suite.js';
import { Payments } from '../payments.js';
import type { AdminStage } from '../../../../test/setup/admin-stage.js';
import { camtOf, type SampleEntry } from './bank-scene.suite.js';
import { BankPayments, type BookedEntry, type ConfirmedEntry } from './bank-payments.js';
import { readBankFile } from './read-bank-file.js';

let processes: FallingProcesses;
let stage: AdminStage;
let accounts: readonly string[];
let requests = 0;

beforeAll(async () => {
  processes = await FallingProcesses.open();
  ({ stage } = processes);
  const made: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const id = await customer(stage, { test_clock: undefined, plan: null });
    for (const price of [300, 500, 700]) {
      await stage.post(`/accounts/${id}/grants`, { credits: 10, kind: 'purchased', price });
    }
    made.push(id);
  }
  accounts = made;
});

afterAll(() => processes.close());

/** Falls at one of its appends: counted over lane 0 and the lanes of accounts, before or after. */
interface Fall {
  readonly append: number;
  readonly when: 'before' | 'after';
}

/** Another process of the service. */
function another(pool: pg.Pool, fall: Fall | null = null): BankPayments {
  let appends = 0;
  let isFallen = false;
  const falling = async <Result>(append: () => Promise<Result>): Promise<Result> => {
    const isLast = (appends += 1) === fall?.append;
    if (isLast && fall.when === 'before') isFallen = true;
    if (isFallen) throw new Fallen();
    const result = await append();
    if (isLast) isFallen = true;
    if (isFallen) throw new Fallen();
    return result;
  };
  const stream = new SystemStream(stage.log);
  const system: Pick<SystemStream, 'appendOnce' | 'read'> = {
    read: (fold) => stream.read(fold),
    appendOnce: (id, fold, decide) => falling(() => stream.appendOnce(id, fold, decide)),
  };
  const accounting: Decider = {
    submit: (submission) => falling(() => stage.accounting.submit(submission)),
  };
  const clock = { now: () => stage.now };
  const { calendar } = terms;
  const { invoicing } = stage;
  const log: Pick<EventLog, 'findCalls'> = {
    findCalls: async (calls) => {
      if (isFallen) throw new Fallen();
      return stage.log.findCalls(calls);
    },
  };
  const profiles = new Profiles(pool);
  const correctionUnder = async () => undefined;
  const changes = new AccountChanges({ accounting, profiles, clock, correctionUnder });
  const loader = new AccountLoader(pool);
  const billing = new BillingChanges({ changes, loader, log, pool, calendar, clock });
  const reads = new PostgresInvoiceReads(pool, stream, calendar, clock);
  const { periods } = invoicing;
  const payments = new Payments({ changes: billing, reads, periods, pool });
  return new BankPayments({
    pool,
    log,
    system,
    changes: new SystemChanges(system, clock),
    payments,
    periods,
  });
}

function asked(key: string | null = null): Change {
  requests += 1;
  return { by: 'owner', requestId: `r${requests}`, idempotencyKey: key, input: `i${requests}` };
}

/** All payments in the log by the reference of the bank, with their accounts. */
async function paymentsInLog(): Promise<Map<string, { account: string; amount: number }[]>> {
  const found = new Map<string, { account: string; amount: number }[]>();
  for (const account of accounts) {
    for (const { type, data } of (await readBilling(stage.pool, account)).events) {
      if (type !== 'PaymentRecorded') continue;
      const name = data.reference ?? '';
      found.set(name, [...(found.get(name) ?? []), { account, amount: data.amount }]);
    }
  }
  return found;
}

/** Entries of a file, each for the account that somebody chooses. */
function chosen(entries: readonly SampleEntry[], choice: number): ConfirmedEntry[] {
  return readBankFile(Buffer.from(camtOf(entries))).entries.map((entry, index) => ({
    id: entry.id,
    account_id: accounts[(index + choice) % accounts.length] ?? '',
    amount: entry.amount,
    currency: entry.currency,
    date: entry.booking_date,
    // The text: not all of these entries have a reference.
    reference: entry.text,
  }));
}

const request = fc.record({
  from: fc.nat(11),
  length: fc.integer({ min: 1, max: 6 }),
  choice: fc.nat(2),
  isReversed: fc.boolean(),
  fall: fc.option(
    fc.record({ append: fc.integer({ min: 1, max: 6 }), when: fc.constantFrom('before', 'after') }),
  ),
  isBesideNext: fc.boolean(),
});

it('records each entry of a bank once, and for one account, whatever is sent and falls', async () => {
  const pools = [processes.opened(), processes.opened()] as const;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 12, maxLength: 12 }),
      fc.array(request, { minLength: 2, maxLength: 7 }),
      async (amounts, requestsOfRun) => {
        run += 1;
        const bank = amounts.map((amount, n): SampleEntry => {
          const text = `run ${run} entry ${n}`;
          return { amount, text, name: 'Nobody', reference: n % 3 === 0 ? null : `R${run}-${n}` };
        });
        const booked: BookedEntry[] = [];
        let waiting: Promise<unknown>[] = [];
        for (const [
          n,
          { from, length, choice, isReversed, fall, isBesideNext },
        ] of requestsOfRun.entries()) {
          const part = bank.slice(from, from + length);
          const entries = chosen(isReversed ? part.toReversed() : part, choice);
          const bankPayments = another(pools[n % 2] ?? pools[0], fall as Fall | null);
          const made = bankPayments.book(asked(), entries).then(
            (some) => booked.push(...some),
            (error: unknown) => {
              if (!(error instanceof Fallen)) throw error;
            },
          );
          waiting.push(made);
          if (isBesideNext) continue;
          await Promise.all(waiting);
          waiting = [];
        }
        await Promise.all(waiting);
        const found = await paymentsInLog();
        for (const { text, amount } of bank) {
          const own = found.get(text) ?? [];
          expect([text, own.length <= 1]).toEqual([text, true]);
          for (const one of own) expect(one.amount).toBe(amount);
        }
        // Nothing else is said to be booked than what is in the log, and all of it is the sum.
        const payments = new Map(
          booked.flatMap((one) => ('payment' in one ? [[one.payment.id, one.payment]] : [])),
        );
        for (const { reference, amount } of payments.values()) {
          expect(found.get(reference ?? '')).toMatchObject([{ amount }]);
        }
        const once = booked.filter(({ outcome }) => outcome === 'booked');
        expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
        // Whoever repeats it all once more books the rest, for the accounts of the first request.
        const last = chosen(bank, 0);
        const rest = await another(pools[0]).book(asked(), last);
        const again = await another(pools[1]).book(asked(), last);
        expect(again.filter(({ outcome }) => outcome === 'booked')).toEqual([]);
        const isBooked = new Map(rest.map(({ id, outcome }) => [id, outcome !== 'refused']));
        const all = await paymentsInLog();
        const recorded = last.filter(({ reference }) => all.has(reference ?? ''));
        const sums = recorded.map(({ reference }) => all.get(reference ?? '')?.[0]?.amount ?? 0);
        const confirmed = recorded.map(({ amount }) => amount);
        expect(sums).toEqual(confirmed);
        for (const { id, reference } of last) {
          if (isBooked.get(id) === true) expect(all.get(reference ?? '')).toHaveLength(1);
        }
      },
    ),
    { numRuns: 8 },
  );
});

it.each(
  [1, 2, 3, 5].flatMap((append) => [[append, 'before'] as const, [append, 'after'] as const]),
)('a booking that falls at its append %d, %s it, goes on and books once', async (append, when) => {
  const pool = processes.opened();
  const name = `fall ${append} ${when}`;
  const file = [1, 2, 3, 4].map((n): SampleEntry => {
    return { amount: n * 10, text: `${name} ${n}`, name: 'Nobody', reference: `${name} ${n}` };
  });
  const entries = chosen(file, 0);
  const change = asked(`${name}`.replaceAll(' ', '-'));
  await expect(another(pool, { append, when }).book(change, entries)).rejects.toThrow(Fallen);
  // What was confirmed stays with its account; the others may still be of any.
  await caughtUp(stage);
  const shown = await another(pool).propose(readBankFile(Buffer.from(camtOf(file))));
  const known = append === 1 && when === 'before' ? [] : entries.map((one) => one.account_id);
  expect(
    shown.entries.flatMap(({ match }) => ('account_id' in match ? [match.account_id] : [])),
  ).toEqual(known);
  const made = await another(pool).book(change, entries);
  expect(made.every(({ outcome }) => outcome !== 'refused')).toBe(true);
  await Promise.all([1, 2].map(() => another(pool).book(asked(), entries)));
  const found = await paymentsInLog();
  expect(file.map(({ text }) => found.get(text))).toEqual(
    entries.map(({ account_id: account, amount }) => [{ account, amount }]),
  );
});
