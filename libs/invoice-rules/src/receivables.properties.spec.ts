import type { Ledger } from './ledger-accounts.js';
import fc from 'fast-check';
import {
  appliedAmounts,
  balanceChange,
  creditBalance,
  type InvoiceRecord,
  moneyOf,
} from '#account/billing-events.js';
import { untilMet } from '#account/until-met.suite.js';
import { accountStatement } from './account-statement.js';
import { decideCredit, type CreditedAmounts, type SettleBy } from './credit-notes.js';
import { refusePayment, refuseWriteOff } from './invoice-account.js';
import { creditNoteEntry, invoiceEntry } from './journal.js';
import type { JournalEntry } from './journal.js';
import { Books, DATE, issued, sealedInvoice } from './receivable-books.suite.js';
import { allocatePayment, allocateRefund, type Allocation } from './receivables.js';
import { isSettling, settlingEntries } from './settlement-journal.js';

const of = { currency: 'USD', date: DATE };

type Act = (books: Books, id: string, amount: number) => InvoiceRecord | null;

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
  return noteOf(decision, id, item.id);
}

function noteOf(
  decision: CreditedAmounts,
  id: string,
  invoiceId: string,
  more: { reissued_as?: string } = {},
): InvoiceRecord {
  const { net, tax, total, settlement, unwritten } = decision;
  const { credit_balance: kept = 0 } = settlement;
  const note = { credit_note_id: id, invoice_id: invoiceId, series: 'CN', sha256: 'ab' } as const;
  const dates = { month: '2026-11', issue_date: DATE, currency: 'USD', ...more };
  const data = { ...note, ...dates, lines: decision.lines, net, tax, total };
  const settled = {
    ...(kept > 0 && { to_balance: kept }),
    ...(unwritten > 0 && { write_off: unwritten }),
  };
  return { type: 'CreditNoteSealed', data: { ...data, ...settled } };
}

/** All that is left of an invoice is taken back, to be issued again under an id. */
function voidToReissue(books: Books, id: string, amount: number): InvoiceRecord | null {
  const item = pick(books.items, amount);
  if (item === undefined) return null;
  const by = amount % 2 === 0 ? 'refund' : 'credit_balance';
  const decision = decideCredit(item.account, { scope: 'whole' }, by);
  if (decision.outcome === 'refused') return null;
  return noteOf(decision, id, item.id, { reissued_as: `${id}-again` });
}

/** The oldest of these, with the tax on what is billed again. */
function reissue({ state, events }: Books): InvoiceRecord | null {
  const [due] = state.billing.reissues;
  if (due === undefined) return null;
  const net = sum(
    events.flatMap(({ type, data }) =>
      type === 'CreditNoteSealed' && data.reissued_as === due.invoiceId ? [data.net] : [],
    ),
  );
  return sealedInvoice({ invoice_id: due.invoiceId, reissues: due.of }, net);
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
  void: voidToReissue,
  reissue,
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
    if (isSettling(event)) return settlingEntries(event, { numbers });
    if (event.type === 'InvoiceSealed') {
      return [invoiceEntry({ ...event.data, number: event.data.invoice_id })];
    }
    if (event.type !== 'CreditNoteSealed') return [];
    const { credit_note_id: number, invoice_id } = event.data;
    const invoice = invoices.find((one) => one.invoice_id === invoice_id);
    if (invoice === undefined) throw new Error('A note has no invoice.');
    const note = { ...event.data, number, of: invoice_id };
    return [creditNoteEntry(note, issued(invoice))];
  });
}

function balanceOf(entries: readonly JournalEntry[], ledger: Ledger): number {
  return entries
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.ledger === ledger)
    .reduce((sum, { debit, credit: credited }) => sum + debit - credited, 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}

/** Sold before its invoice, less what is invoiced, and net what was voided to be issued again. */
function unissued({ invoices, events, state }: Books): number {
  const due = new Set(state.billing.reissues.map(({ invoiceId }) => invoiceId));
  const waiting = events.flatMap(({ type, data }) =>
    type === 'CreditNoteSealed' && due.has(data.reissued_as ?? '') ? [data.net] : [],
  );
  const sold = invoices.filter(({ reissues }) => reissues === undefined);
  return sum(waiting) - sum(sold.map(({ total }) => total));
}

function expectSound(books: Books): void {
  const { items, events, state } = books;
  const journal = journalOf(books);
  const due = sum(items.map((item) => item.due));
  const balance = creditBalance(events);
  expect(balanceOf(journal, 'receivables')).toBe(due);
  expect(balanceOf(journal, 'customer_credits')).toBe(0 - balance);
  expect(balanceOf(journal, 'contract_assets')).toBe(unissued(books));
  expect(balanceOf(journal, 'bank')).toBe(sum(events.map(moneyOf)));
  expect(balanceOf(journal, 'bad_debts')).toBe(sum(items.map(({ account }) => account.writtenOff)));
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

test('receivables are the open invoices, and money that none has got is the credit balance', async () => {
  const seen = new Map<string, number>();
  await untilMet(
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
    () => seen.size > Object.keys(ACTS).length,
  );
  expect([...seen.keys()].toSorted()).toEqual(['applied', ...Object.keys(ACTS)].toSorted());
});
