import {
  DEFAULT_ACCOUNTS,
  type JournalAccounts,
  type Ledger,
} from '#invoice-rules/ledger-accounts.js';
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import { taxCodeOf } from '#invoice-rules/journal.js';
import type { JournalEntry, Posting } from '#invoice-rules/journal.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { safeText } from '#invoice-rules/csv-text.js';
import { formatAmount } from '#invoice-rules/money.js';
import type { Calendar } from '#calendar/calendar.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { csvHeader, csvRows, type Column } from '#web/csv.js';
import type { AccountBooks, BooksReader, Customer } from './account-books.js';
import { accountJournal, bookedIn, saleInvoices, type BookedDocuments } from './account-journal.js';
import { issuedBodies } from './issued-bodies.js';
import { settledInvoices } from '#invoice-rules/settlement-journal.js';
import { csvLine } from '#invoice-rules/csv-rows.js';

/** An entry of a customer, and its place in the journal: 1, 2, 3, … */
export interface NumberedEntry {
  readonly entry: number;
  readonly accountId: string;
  readonly customer: Customer;
  readonly booked: JournalEntry;
}

interface Row extends NumberedEntry {
  readonly posting: Posting;
}

/** New columns are added at the end: journals of closed periods keep those of their day. */
function columnsOf(accounts: JournalAccounts): readonly Column<Row>[] {
  const amount = (side: 'debit' | 'credit'): Column<Row>['cell'] => {
    return ({ posting, booked }) => formatAmount(posting[side], booked.currency);
  };
  const tax = ({ booked, posting }: Row) => taxCodeOf(booked, posting);
  return [
    { name: 'entry', cell: ({ entry }) => entry },
    { name: 'date', cell: ({ booked }) => booked.date },
    { name: 'document', cell: ({ booked }) => booked.document },
    { name: 'account_id', cell: ({ accountId }) => accountId },
    { name: 'description', cell: ({ booked }) => booked.description },
    { name: 'currency', cell: ({ booked }) => booked.currency },
    { name: LEDGER_ACCOUNT, cell: ({ posting }) => accounts[posting.ledger] },
    { name: 'debit', cell: amount('debit') },
    { name: 'credit', cell: amount('credit') },
    { name: 'debit_minor', cell: ({ posting }) => posting.debit },
    { name: 'credit_minor', cell: ({ posting }) => posting.credit },
    { name: LEDGER, cell: ({ posting }) => posting.ledger },
    { name: 'customer_number', cell: ({ customer }) => customer.number },
    { name: 'customer_name', cell: ({ customer }) => customer.name },
    { name: 'customer_vat_id', cell: ({ customer }) => customer.vatId },
    { name: 'tax_category', cell: (row) => tax(row)?.category },
    { name: 'tax_rate_percent', cell: (row) => tax(row)?.rate_percent },
    { name: 'reference', cell: ({ booked }) => booked.reference },
    { name: 'document_id', cell: ({ booked }) => booked.documentId },
  ];
}

const LEDGER = 'ledger';
const LEDGER_ACCOUNT = 'ledger_account';

/** A journal that is asked for. */
export interface JournalScope {
  /** Of the posting dates. */
  readonly month: string;
  readonly test: boolean;
}

/** Double entry as CSV: a row for each posting. Those of one `entry` balance, and so do all. */
export async function* journalPieces(
  entries: AsyncIterable<readonly NumberedEntry[]>,
  accounts: JournalAccounts,
): AsyncGenerator<string> {
  const columns = columnsOf(accounts);
  yield csvHeader(columns);
  for await (const batch of entries) {
    const rows = batch.flatMap((one) =>
      one.booked.postings.map((posting) => ({ ...one, posting })),
    );
    yield csvRows(columns, rows);
  }
}

/** The entries of a month, customer by customer and in the order of dates. */
export async function* journalEntries(
  pool: pg.Pool,
  books: BooksReader,
  { month, test }: JournalScope,
  calendar: Calendar,
): AsyncGenerator<readonly NumberedEntry[]> {
  let entry = 0;
  for await (const batch of books.all(test)) {
    const documents = await documentsOf(pool, batch, month, calendar);
    yield batch.flatMap((account) =>
      accountJournal(account, month, documents, calendar).map((booked) => {
        entry += 1;
        return { entry, accountId: account.accountId, customer: account.customer, booked };
      }),
    );
  }
}

/** The numbers of what is booked, and the invoices whose lines say what credit notes take back. */
async function documentsOf(
  pool: pg.Pool,
  batch: readonly AccountBooks[],
  month: string,
  calendar: Calendar,
): Promise<BookedDocuments> {
  const booked = batch.map(({ billing }) => bookedIn(billing, month));
  const corrected = booked.flatMap(({ notes }) => notes.map(({ invoice_id: id }) => id));
  const ids = booked.flatMap(({ invoices, notes, settlements }) => [
    ...invoices.map(({ invoice_id: id }) => id),
    ...notes.map(({ credit_note_id: id }) => id),
    ...settlements.flatMap(settledInvoices),
  ]);
  const sold = batch.flatMap((account) =>
    [...saleInvoices(account, calendar).values()].map(({ invoice_id: id }) => id),
  );
  const issued = await findNumbersOf(pool, [...new Set([...ids, ...corrected, ...sold])]);
  const of = issued.filter(({ data }) => corrected.includes(data.id));
  const bodies = await issuedBodies(
    pool,
    of.map(({ data }) => data.documents.json),
  );
  return {
    numbers: new Map(issued.map(({ data }) => [data.id, data.number])),
    invoices: new Map(
      of.map(({ data }, index) => {
        const text = bodies[index]?.body.toString('utf8') ?? '';
        return [data.id, JSON.parse(text) as Invoice];
      }),
    ),
  };
}

const BY_CODE = new Map(
  Object.entries(DEFAULT_ACCOUNTS).map(([ledger, code]) => [code, ledger as Ledger]),
);

/** A kept journal with other codes. Older ones do not name the ledger: their codes do. */
export function withAccounts(text: string, accounts: Partial<JournalAccounts>): string {
  const [header = [], ...rows] = parse(text);
  const [at, ledgerAt] = [header.indexOf(LEDGER_ACCOUNT), header.indexOf(LEDGER)];
  const recoded = rows.map((row) => {
    const code = row[at] ?? '';
    const ledger = ledgerAt < 0 ? BY_CODE.get(code) : (row[ledgerAt] as Ledger);
    const other = ledger === undefined ? undefined : accounts[ledger];
    return other === undefined ? row : row.with(at, safeText(other));
  });
  return [header, ...recoded].map(csvLine).join('');
}
