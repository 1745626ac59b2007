import type { JournalAccounts } from '#invoice-rules/ledger-accounts.js';
import { periodOf } from '#invoice-rules/draft-invoice.js';
import { datevAccountFaults, datevHeader, datevLines } from '#invoice-rules/datev.js';
import type { Seller } from '#invoice-rules/invoice.js';
import { windows1252 } from '#invoice-rules/windows-1252.js';
import { problem, ProblemException } from '#web/problem.js';
import type { NumberedEntry } from './journal-format.js';

interface DatevRequest {
  readonly accounts: JournalAccounts;
  readonly seller: Partial<Seller>;
  readonly month: string;
  /** Ms since 1970. */
  readonly now: number;
}

/** DATEV takes so many rows in a file. */
const ROWS_MAX = 99_999;

/**
 * A month's journal as a Buchungsstapel (EXTF 700, category 21, format version 13) in Windows-1252.
 * Throws a ProblemException: `conflict` for what DATEV would not take, all faults at once.
 */
export async function* datevPieces(
  entries: AsyncIterable<readonly NumberedEntry[]>,
  { accounts, seller: { datev }, month, now }: DatevRequest,
): AsyncGenerator<Uint8Array> {
  if (datev === undefined) {
    throw conflict([
      'The seller has no `datev` with consultant and client number: see PUT /seller.',
    ]);
  }
  const faults = datevAccountFaults(accounts, datev);
  if (faults.length > 0) {
    throw conflict([...faults, 'See `ledger_accounts` and `datev` of PUT /seller.']);
  }
  const madeAt = new Date(now).toISOString().replaceAll(/\D/g, '');
  yield windows1252(datevHeader(datev, { ...periodOf(month), madeAt }));
  let rows = 0;
  for await (const batch of entries) {
    const lines = batch.flatMap((one) => datevLines(one, accounts, datev));
    rows += lines.length;
    if (rows > ROWS_MAX) {
      throw new Error(`${month} has more than the ${ROWS_MAX} rows that DATEV takes in a file.`);
    }
    yield windows1252(lines.join(''));
  }
}

function conflict(faults: readonly string[]): ProblemException {
  return new ProblemException(problem('conflict', faults.join(' ')));
}
