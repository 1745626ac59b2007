import type pg from 'pg';
import { DEFAULT_ACCOUNTS } from '#invoice-rules/journal.js';
import type { JournalAccounts, JournalEntry } from '#invoice-rules/journal.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { quotedCell, safeText } from '#invoice-rules/csv-text.js';
import { formatAmount } from '#invoice-rules/money.js';
import type { Calendar } from '#calendar/calendar.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import type { AccountBooks, BooksReader } from './account-books.js';
import { accountJournal, bookedIn, type BookedDocuments } from './account-journal.js';
import { issuedBodies } from './issued-bodies.js';
import { settledInvoices } from '#invoice-rules/settlement-journal.js';
import { csvLine } from '#invoice-rules/csv-rows.js';

const COLUMNS = [
  'entry',
  'date',
  'document',
  'account_id',
  'description',
  'currency',
  'ledger_account',
  'debit',
  'credit',
  'debit_minor',
  'credit_minor',
];

/** A journal that is asked for. */
export interface JournalScope {
  /** Of the posting dates. */
  readonly month: string;
  readonly test: boolean;
  readonly accounts: JournalAccounts;
}

/**
 * Double entry as CSV, customer by customer and in the order of dates: a row for each posting.
 * Those of one `entry` balance, and so do all of them.
 */
export async function* journalPieces(
  pool: pg.Pool,
  books: BooksReader,
  { month, test, accounts }: JournalScope,
  calendar: Calendar,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let number = 0;
  for await (const batch of books.all(test)) {
    const documents = await documentsOf(pool, batch, month);
    const lines = batch.flatMap((account) =>
      accountJournal(account, month, documents, accounts, calendar).map((entry) =>
        linesOf((number += 1), account.accountId, entry),
      ),
    );
    yield lines.join('');
  }
}

/** The numbers of what is booked, and the invoices whose lines say what credit notes take back. */
async function documentsOf(
  pool: pg.Pool,
  batch: readonly AccountBooks[],
  month: string,
): Promise<BookedDocuments> {
  const booked = batch.map(({ billing }) => bookedIn(billing, month));
  const corrected = booked.flatMap(({ notes }) => notes.map(({ invoice_id: id }) => id));
  const ids = booked.flatMap(({ invoices, notes, settlements }) => [
    ...invoices.map(({ invoice_id: id }) => id),
    ...notes.map(({ credit_note_id: id }) => id),
    ...settlements.flatMap(settledInvoices),
  ]);
  const issued = await findNumbersOf(pool, [...new Set([...ids, ...corrected])]);
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

function linesOf(number: number, accountId: string, entry: JournalEntry): string {
  const { date, document, description, currency, postings } = entry;
  return postings
    .map(({ account, debit, credit }) =>
      csvLine([
        number,
        date,
        document,
        accountId,
        safeText(description),
        currency,
        safeText(account),
        formatAmount(debit, currency),
        formatAmount(credit, currency),
        debit,
        credit,
      ]),
    )
    .join('');
}

/** The last columns of a row: a code of the chart unless another is given, and amounts. */
const CODE_AND_AMOUNTS = /,(\d{4}),([^,]*,[^,]*,\d+,\d+\r\n)/g;

/** A journal that was made with the codes of `DEFAULT_ACCOUNTS`, with others. */
export function withAccounts(text: string, accounts: JournalAccounts): string {
  const codes = new Map(
    Object.entries(DEFAULT_ACCOUNTS).map(([name, code]) => [
      code,
      safeText(accounts[name as keyof JournalAccounts]),
    ]),
  );
  return text.replaceAll(
    CODE_AND_AMOUNTS,
    (_row, code: string, amounts: string) => `,${quotedCell(codes.get(code) ?? code)},${amounts}`,
  );
}
