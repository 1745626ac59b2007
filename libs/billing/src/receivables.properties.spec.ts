import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import type { BillingEntry, InvoiceRecord, InvoiceSealed } from '#account/billing-events.js';
import type { RecordBilling } from '#account/commands.js';
import { decide } from '#account/decide.js';
import { given, grantCredits, openAccount, origin } from '#account/scenario.suite.js';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import { appliedAmounts, balanceChange, creditBalance, moneyOf } from '#account/settlement.js';
import { accountStatement } from './account-statement.js';
import { decideCredit, type SettleBy } from './credit-notes.js';
import { invoiceAccount, refusePayment, refuseWriteOff } from './invoice-account.js';
import { creditNoteEntry, DEFAULT_ACCOUNTS, invoiceEntry } from './journal.js';
import type { JournalEntry } from './journal.js';
import { allocatePayment, allocateRefund, type Allocation } from './receivables.js';
import { isSettling, settlingEntries } from './settlement-journal.js';
import { taxOn } from './tax.js';

const DATE = '2026-11-24';
const RATE = 20;
const TAXED = [{ category: 'S', rate_percent: RATE, taxable: 0, tax: 0 }] as const;
const of = { currency: 'USD', date: DATE };

type Act = (books: Books, id: string, amount: number) => InvoiceRecord | null;

/** An account, all that happened to its invoices, and decisions about them. */
class Books {
  state = given([TUESDAY, openAccount({ currency: 'USD' })]);
  readonly events: BillingEntry[] = [];

  get invoices(): readonly InvoiceSealed[] {
    return this.events.flatMap(({ type, data }) =>
      type === 'InvoiceSealed' ? [data as InvoiceSealed] : [],
    );
  }

  get items() {
    return this.invoices.map((sealed) => {
      const account = invoiceAccount(issued(sealed), this.events);
      const { invoice_id: id, issue_date: issueDate } = sealed;
      return { id, number: id, due: account.due, issueDate, account };
    });
  }

  get receivables() {
    return { items: this.items, balance: creditBalance(this.events) };
  }

  /** Sells credits and invoices them at once. */
  sell(id: string, price: number): InvoiceRecord {
    const sale = grantCredits(10, { grantId: id, price });
    this.state = evolveAll(this.state, decide(this.state, sale, TUESDAY, terms).events);
    const tax = taxOn(price, RATE);
    const amounts = { net: price, tax, total: price + tax };
    const dates = { issue_date: DATE, due_date: '2026-12-08', month: '2026-11', currency: 'USD' };
    const data = { invoice_id: id, series: 'INV', lines: 1, sha256: 'ab', grant_id: id } as const;
    return {
      type: 'InvoiceSealed',
      data: { ...data, ...dates, ...amounts, seller: null, buyer: null },
    };
  }

  record(record: InvoiceRecord): void {
    const after = this.state.billing.version;
    const command: RecordBilling = { command: 'record-billing', origin, after, record };
    const { events, refusal } = decide(this.state, command, TUESDAY, terms);
    expect(refusal).toBeNull();
    this.state = evolveAll(this.state, events);
    this.events.push(...(events as unknown as BillingEntry[]));
  }
}

function issued({ invoice_id: id, net, tax, total, due_date }: InvoiceSealed) {
  const line = { n: 1, type: 'purchase', description: '', amount: net } as const;
  const lines = [{ ...line, grant_id: id, granted_credits: 10 }];
  return { id, lines, net, tax_breakdown: TAXED, tax, total, due_date };
}

function pick<Item>(items: readonly Item[], amount: number): Item | undefined {
  return items[amount % (items.length || 1)];
}

function appliedBy(allocation: Allocation) {
  return allocation.outcome === 'allocated' ? allocation.applied : null;
}

function payment(id: string, amount: number, allocation: Allocation): InvoiceRecord | null {
  const applied = appliedBy(allocation);
  if (applied === null) return null;
  const data = { payment_id: id, invoice_id: null, amount, ...of, reference: null, applied };
  return { type: 'PaymentRecorded', data };
}

function credit(books: Books, id: string, amount: number, by: SettleBy): InvoiceRecord | null {
  const item = pick(books.items, amount);
  if (item === undefined) return null;
  const lines = [{ line: 1, amount: Math.ceil(amount / 3) }];
  const decision = decideCredit(item.account, { scope: 'lines', lines }, by);
  if (decision.outcome === 'refused') return null;
  const { net, tax, total, settlement, unwritten } = decision;
  const { credit_balance: kept = 0 } = settlement;
  const note = { credit_note_id: id, invoice_id: item.id, series: 'CN', sha256: 'ab' } as const;
  const dates = { month: '2026-11', issue_date: DATE, currency: 'USD' };
  const data = { ...note, ...dates, lines: decision.lines, net, tax, total };
  const settled = {
    ...(kept > 0 && { to_balance: kept }),
    ...(unwritten > 0 && { write_off: unwritten }),
  };
  return { type: 'CreditNoteSealed', data: { ...data, ...settled } };
}

const ACTS: Readonly<Record<string, Act>> = {
  sell: (books, id, amount) => books.sell(id, amount),
  pay: (books, id, amount) => payment(id, amount, allocatePayment(books.receivables, amount)),
  payOne: (books, id, amount) => {
    const item = pick(books.items, amount);
    const apply = [{ number: item?.number ?? '', amount: Math.ceil(amount / 2) }];
    return payment(id, amount, allocatePayment(books.receivables, amount, apply));
  },
  useBalance: (books, id, amount) => {
    const apply = [{ number: pick(books.items, amount)?.number ?? '', amount }];
    return payment(id, 0, allocatePayment(books.receivables, 0, apply));
  },
  bounce: (books, id, amount) => {
    const item = pick(books.items, amount);
    if (item === undefined || refusePayment(item.account, -amount) !== null) return null;
    const data = { payment_id: id, invoice_id: item.id, amount: -amount, ...of, reference: null };
    return { type: 'PaymentRecorded', data: { ...data, applied: [[item.id, -amount]] } };
  },
  refund: (books, id, amount) => {
    const applied = appliedBy(allocateRefund(books.receivables, amount));
    if (applied === null) return null;
    const data = { refund_id: id, amount, ...of, reference: null, applied };
    return { type: 'RefundRecorded', data };
  },
  writeOff: (books, id, amount) => {
    const item = pick(books.items, amount);
    const signed = amount % 3 === 0 ? -amount : amount;
    if (item === undefined || refuseWriteOff(item.account, signed) !== null) return null;
    const data = { write_off_id: id, invoice_id: item.id, amount: signed, ...of };
    return { type: 'WriteOffRecorded', data };
  },
  credit: (books, id, amount) => credit(books, id, amount, 'refund'),
  keep: (books, id, amount) => credit(books, id, amount, 'credit_balance'),
};

const history = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.integer({ min: 1, max: 900 })),
  { maxLength: 40, size: 'max' },
);

/** The journal, with each invoice and note booked under its id. */
function journalOf({ events, invoices }: Books): JournalEntry[] {
  const numbers = new Map(invoices.map(({ invoice_id: id }) => [id, id]));
  return events.flatMap((event): JournalEntry[] => {
    if (isSettling(event)) return settlingEntries(event, { numbers }, DEFAULT_ACCOUNTS);
    if (event.type === 'InvoiceSealed') {
      return [invoiceEntry({ ...event.data, number: event.data.invoice_id }, DEFAULT_ACCOUNTS)];
    }
    if (event.type !== 'CreditNoteSealed') return [];
    const { credit_note_id: number, invoice_id } = event.data;
    const invoice = invoices.find((one) => one.invoice_id === invoice_id);
    if (invoice === undefined) throw new Error('A note has no invoice.');
    const note = { ...event.data, number, of: invoice_id };
    return [creditNoteEntry(note, { lines: issued(invoice).lines }, DEFAULT_ACCOUNTS)];
  });
}

function balanceOf(entries: readonly JournalEntry[], code: string): number {
  return entries
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => account === code)
    .reduce((sum, { debit, credit: credited }) => sum + debit - credited, 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}

function expectSound(books: Books): void {
  const { items, events, state } = books;
  const journal = journalOf(books);
  const { receivables, customerCredits, bank, badDebts } = DEFAULT_ACCOUNTS;
  const due = sum(items.map((item) => item.due));
  const balance = creditBalance(events);
  expect(balanceOf(journal, receivables)).toBe(due);
  expect(balanceOf(journal, customerCredits)).toBe(0 - balance);
  expect(balanceOf(journal, bank)).toBe(sum(events.map(moneyOf)));
  expect(balanceOf(journal, badDebts)).toBe(sum(items.map(({ account }) => account.writtenOff)));
  expect(state.billing).toMatchObject({ balance, applying: null });
  expect(balance).toBeGreaterThanOrEqual(0);
  for (const { account } of items) {
    const { paid, writtenOff, creditedNet, invoice } = account;
    expect([paid >= 0, writtenOff >= 0, creditedNet <= invoice.net]).toEqual([true, true, true]);
  }
  for (const event of events) {
    const applied = sum(appliedAmounts(event).map(([, amount]) => amount));
    expect(applied + balanceChange(event)).toBe(moneyOf(event));
  }
  const documents = events.flatMap(({ data }) => Object.values(data).filter(isId));
  const numbers = new Map(documents.map((id) => [id, id]));
  const statement = accountStatement(items, events, numbers, DATE);
  expect(statement.balance).toBe(due - balance);
  expect(statement.entries.at(-1)?.balance ?? 0).toBe(due - balance);
  expect(sum(Object.values(statement.ageing))).toBe(statement.owed);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('id-');
}

/** Rare among random ones: money that none has got, while an invoice is open. */
const USING_THE_BALANCE: [string, number][] = [
  ['sell', 10],
  ['pay', 900],
  ['sell', 900],
  ['keep', 20],
  ['useBalance', 1],
];

test('receivables are the open invoices, and money that none has got is the credit balance', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(history, (steps) => {
      const books = new Books();
      for (const [index, [name, amount]] of steps.entries()) {
        const record = ACTS[name]?.(books, `id-${index}`, amount) ?? null;
        if (record === null) continue;
        books.record(record);
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expectSound(books);
      }
      if (books.events.some(({ type }) => type === 'CreditBalanceApplied')) seen.set('applied', 1);
    }),
    { numRuns: 100, examples: [[USING_THE_BALANCE]] },
  );
  expect([...seen.keys()].toSorted()).toEqual(['applied', ...Object.keys(ACTS)].toSorted());
});

test('a payment pays what is due first, and an older event pays its invoice alone', () => {
  const items = [
    { id: 'a', number: 'INV-1', due: 100 },
    { id: 'b', number: 'INV-2', due: -30 },
    { id: 'c', number: 'INV-3', due: 50 },
  ];
  expect(allocatePayment({ items, balance: 20 }, 110)).toEqual({
    outcome: 'allocated',
    applied: [
      ['a', 100],
      ['c', 30],
    ],
  });
  expect(allocateRefund({ items, balance: 20 }, 50)).toMatchObject({ applied: [['b', 30]] });
  expect(allocateRefund({ items, balance: 20 }, 51)).toMatchObject({ outcome: 'refused' });
  const data = { payment_id: 'p', invoice_id: 'a', amount: 7, ...of, reference: null };
  expect(appliedAmounts({ type: 'PaymentRecorded', data })).toEqual([['a', 7]]);
  expect(balanceChange({ type: 'PaymentRecorded', data })).toBe(0);
});

test.each([
  ['an invoice of another account', [{ number: 'INV-9', amount: 1 }], 'invoice-unknown', 0],
  [
    'an invoice twice',
    [
      { number: 'INV-1', amount: 1 },
      { number: 'INV-1', amount: 1 },
    ],
    'invoice-twice',
    1,
  ],
  ['more than is due', [{ number: 'INV-1', amount: 101 }], 'amount-out-of-range', 0],
  ['more than is there', [{ number: 'INV-1', amount: 31 }], 'amount-out-of-range', null],
])('a payment for %s is refused', (_what, apply, reason, index) => {
  const items = [{ id: 'a', number: 'INV-1', due: 100 }];
  const found = allocatePayment({ items, balance: 20 }, 10, apply);
  expect(found).toMatchObject({ outcome: 'refused', reason, index });
});

test.each([
  ['2026-12-08', 'not_due', 0],
  ['2026-12-09', 'days_1_30', 1],
  ['2027-01-07', 'days_1_30', 30],
  ['2027-01-08', 'days_31_60', 31],
  ['2027-03-08', 'days_61_90', 90],
  ['2027-03-09', 'over_90', 91],
])('on %s an invoice due on 8 December is %s', (date, age, days) => {
  const books = new Books();
  books.record(books.sell('id-1', 100));
  const { open, ageing } = accountStatement(books.items, books.events, new Map(), date);
  expect(open).toMatchObject([{ age, days_overdue: days, due: 120 }]);
  expect(ageing).toMatchObject({ [age]: 120 });
});
