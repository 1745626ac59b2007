import type { GrantLiability } from './credit-liability.js';
import type { CreditNote, Invoice, InvoiceLine } from './invoice.js';
import { sumOf } from './money.js';

/** Codes of the accounts that entries are booked to; an operator's own chart of accounts. */
export interface JournalAccounts {
  readonly receivables: string;
  readonly bank: string;
  readonly taxPayable: string;
  /** Credits that were sold and not used yet. */
  readonly deferredRevenue: string;
  readonly feeRevenue: string;
  readonly overageRevenue: string;
  /** Purchased credits that were used. */
  readonly creditRevenue: string;
  /** Purchased credits that expired or were voided. */
  readonly breakageRevenue: string;
  /** Purchases that were credited afterwards: a deduction from revenue. */
  readonly purchaseRefunds: string;
}

export const DEFAULT_ACCOUNTS: JournalAccounts = {
  receivables: '1200',
  bank: '1000',
  taxPayable: '2200',
  deferredRevenue: '2400',
  feeRevenue: '4000',
  overageRevenue: '4010',
  creditRevenue: '4020',
  breakageRevenue: '4030',
  purchaseRefunds: '4090',
};

/** One side of an entry, in minor units: one of both is above 0, the other is 0. */
export interface Posting {
  readonly account: string;
  readonly debit: number;
  readonly credit: number;
}

/** One booking. The sum of its debits is the sum of its credits. */
export interface JournalEntry {
  /** A local date. */
  readonly date: string;
  /** Number of the invoice or credit note, or id of the payment or grant. */
  readonly document: string;
  readonly description: string;
  readonly currency: string;
  readonly postings: readonly Posting[];
}

type Heading = Omit<JournalEntry, 'postings'>;

/** Amounts to be debited; those below zero are credited. Together they are 0. */
type Debits = readonly (readonly [account: string, amount: number])[];

/** Collects amounts by account. Throws where an entry does not balance. */
function entryOf(heading: Heading, debits: Debits): JournalEntry {
  const sums = new Map<string, number>();
  for (const [account, amount] of debits) {
    sums.set(account, sumOf([sums.get(account) ?? 0, amount], `The sum of account ${account}`));
  }
  const difference = sumOf([...sums.values()], 'The difference');
  if (difference !== 0) throw new Error(`${heading.document} is out of balance by ${difference}.`);
  const postings = [...sums]
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({
      account,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    }));
  return { ...heading, postings };
}

function revenueAccount(type: InvoiceLine['type'], accounts: JournalAccounts): string {
  if (type === 'fee') return accounts.feeRevenue;
  return type === 'purchase' ? accounts.deferredRevenue : accounts.overageRevenue;
}

/** Books an invoice: the customer owes the total; sold credits are revenue only when used. */
export function invoiceEntry(invoice: Invoice, accounts: JournalAccounts): JournalEntry {
  const { number: document, issue_date: date, currency, lines, tax, total } = invoice;
  const description = `Invoice for ${invoice.month}`;
  return entryOf({ date, document, description, currency }, [
    [accounts.receivables, total],
    ...lines.map(({ type, amount }) => [revenueAccount(type, accounts), -amount] as const),
    [accounts.taxPayable, -tax],
  ]);
}

/**
 * A credit note, whose lines name those of the invoice. A purchase that is credited is a deduction
 * from revenue: what was sold stays owed until it is used, expires or is voided.
 */
export function creditNoteEntry(
  note: CreditNote,
  invoice: Pick<Invoice, 'lines'>,
  accounts: JournalAccounts,
): JournalEntry {
  const { number: document, issue_date: date, currency, tax, total } = note;
  const description = `Credit note for ${note.invoice.number}`;
  const types = new Map(invoice.lines.map(({ n, type }) => [n, type]));
  const accountOf = (line: number) => {
    const type = types.get(line);
    if (type === undefined) throw new Error(`${note.invoice.number} has no line ${line}.`);
    return type === 'purchase' ? accounts.purchaseRefunds : revenueAccount(type, accounts);
  };
  return entryOf({ date, document, description, currency }, [
    [accounts.receivables, total],
    ...note.lines.map(({ line, amount }) => [accountOf(line), -amount] as const),
    [accounts.taxPayable, -tax],
  ]);
}

/** A payment of an invoice; one below zero bounced, or was paid back. */
export function paymentEntry(
  payment: { id: string; date: string; amount: number; currency: string; invoice: string },
  accounts: JournalAccounts,
): JournalEntry {
  const { id: document, date, amount, currency } = payment;
  const description = `${amount < 0 ? 'Repayment' : 'Payment'} of ${payment.invoice}`;
  return entryOf({ date, document, description, currency }, [
    [accounts.bank, amount],
    [accounts.receivables, -amount],
  ]);
}

/** Books the part of a purchased grant that became revenue in a month; `date` is its last day. */
export function recognitionEntry(
  { grant_id: document, ...gone }: GrantLiability,
  { date, currency }: { readonly date: string; readonly currency: string },
  accounts: JournalAccounts,
): JournalEntry {
  const { used, expired, voided } = gone;
  const broken = expired.amount + voided.amount;
  const ways = (['used', 'expired', 'voided'] as const).filter((way) => gone[way].amount !== 0);
  const description = `Purchased credits: ${ways.join(', ')}`;
  return entryOf({ date, document, description, currency }, [
    [accounts.deferredRevenue, used.amount + broken],
    [accounts.creditRevenue, -used.amount],
    [accounts.breakageRevenue, -broken],
  ]);
}
