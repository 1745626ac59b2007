import type pg from 'pg';
import { recognitionEntry, creditNoteEntry, invoiceEntry, paymentEntry } from '#billing/journal.js';
import type { JournalAccounts, JournalEntry } from '#billing/journal.js';
import type { Invoice } from '#billing/invoice.js';
import { periodOf } from '#billing/draft-invoice.js';
import { safeText } from '#billing/csv-text.js';
import { formatAmount } from '#billing/money.js';
import { findNumbersOf } from '#ledger/invoices/issued-numbers.js';
import type { CreditLiabilities } from './credit-liabilities.js';
import type { ExportedCreditNote, ExportSource } from './export-source.js';
import { issuedBodies } from './issued-bodies.js';
import { csvLine } from '#billing/csv-rows.js';

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

/** An entry and the customer whom it is about. */
interface CustomerEntry {
  readonly accountId: string;
  readonly entry: JournalEntry;
}

/**
 * Double entry as CSV: a row for each posting; those of one `entry` balance, and so do all of them.
 * Purchased credits become revenue on the month's last day, as they were used, expired or voided.
 */
export async function* journalPieces(
  pool: pg.Pool,
  source: ExportSource,
  liabilities: CreditLiabilities,
  accounts: JournalAccounts,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let number = 0;
  for await (const entries of entriesOf(pool, source, liabilities, accounts)) {
    const moved = entries.filter(({ entry }) => entry.postings.length > 0);
    yield moved.map((each) => linesOf((number += 1), each)).join('');
  }
}

async function* entriesOf(
  pool: pg.Pool,
  source: ExportSource,
  liabilities: CreditLiabilities,
  accounts: JournalAccounts,
): AsyncGenerator<readonly CustomerEntry[]> {
  const { month, test } = source.scope;
  for await (const batch of source.invoices()) {
    yield batch.map(({ document }) => {
      return { accountId: document.account_id, entry: invoiceEntry(document, accounts) };
    });
  }
  for await (const batch of source.creditNotes()) {
    const invoices = await invoicesOf(pool, batch);
    yield batch.map(({ document }, index) => {
      const invoice = invoices[index] ?? { lines: [] };
      return {
        accountId: document.account_id,
        entry: creditNoteEntry(document, invoice, accounts),
      };
    });
  }
  for await (const batch of source.payments()) {
    yield batch.map(({ account_id: accountId, invoice_number: invoice, ...payment }) => {
      return { accountId, entry: paymentEntry({ ...payment, invoice }, accounts) };
    });
  }
  const date = periodOf(month).to;
  for await (const batch of liabilities.ofMonth(month, test)) {
    yield batch.flatMap(({ account_id: accountId, currency, ...liability }) => {
      const entry = recognitionEntry(liability, { date, currency }, accounts);
      return { accountId, entry };
    });
  }
}

/** The invoices that credit notes correct, in their order: their lines say what is booked where. */
async function invoicesOf(
  pool: pg.Pool,
  notes: readonly ExportedCreditNote[],
): Promise<readonly Invoice[]> {
  const ids = notes.map(({ numbered }) => numbered.invoice_id);
  const numbers = new Map((await findNumbersOf(pool, ids)).map(({ data }) => [data.id, data]));
  const hashes = ids.map((id) => numbers.get(id)?.documents.json ?? '');
  const bodies = await issuedBodies(pool, hashes);
  return bodies.map(({ body }) => JSON.parse(body.toString('utf8')) as Invoice);
}

function linesOf(number: number, { accountId, entry }: CustomerEntry): string {
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
