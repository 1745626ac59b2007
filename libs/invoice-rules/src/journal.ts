import type { CreditNoteSealed, InvoiceSealed } from '#account/billing-events.js';
import type { GrantLiability } from './credit-liability.js';
import type { Invoice, InvoiceLine } from './invoice.js';
import { sumOf } from './money.js';

/** Codes of the accounts that entries are booked to; an operator's own chart of accounts. */
export interface JournalAccounts {
  readonly receivables: string;
  /** Sold or earned, and not invoiced yet. */
  readonly contractAssets: string;
  readonly bank: string;
  /** Money of customers that no invoice has got yet. */
  readonly customerCredits: string;
  readonly taxPayable: string;
  /** Credits that were sold and not used yet. */
  readonly deferredRevenue: string;
  readonly feeRevenue: string;
  readonly overageRevenue: string;
  /** Purchased credits that were used. */
  readonly creditRevenue: string;
  /** Purchased credits that expired or were forfeited. */
  readonly breakageRevenue: string;
  /** Purchases that older versions credited without their credits: a deduction from revenue. */
  readonly purchaseRefunds: string;
  /** Invoices that are not expected to be paid any more. */
  readonly badDebts: string;
}

export const DEFAULT_ACCOUNTS: JournalAccounts = {
  receivables: '1200',
  contractAssets: '1210',
  bank: '1000',
  customerCredits: '2300',
  taxPayable: '2200',
  deferredRevenue: '2400',
  feeRevenue: '4000',
  overageRevenue: '4010',
  creditRevenue: '4020',
  breakageRevenue: '4030',
  purchaseRefunds: '4090',
  badDebts: '6000',
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
  return type === 'fee' ? accounts.feeRevenue : accounts.overageRevenue;
}

/** Books a sale of credits on its day, with its tax if it is invoiced at once. */
export function saleEntry(
  heading: Omit<Heading, 'description'>,
  { price, tax }: { readonly price: number; readonly tax: number },
  accounts: JournalAccounts,
): JournalEntry {
  return entryOf({ ...heading, description: 'Sale of credits' }, [
    [accounts.contractAssets, sumOf([price, tax], 'The sale')],
    [accounts.deferredRevenue, -price],
    [accounts.taxPayable, -tax],
  ]);
}

/** Books what is given back of a purchase with its unused credits; its tax is the credit note's. */
export function refundEntry(
  heading: Omit<Heading, 'description'>,
  refund: number,
  accounts: JournalAccounts,
): JournalEntry {
  return entryOf({ ...heading, description: 'Refund of unused credits' }, [
    [accounts.deferredRevenue, refund],
    [accounts.contractAssets, -refund],
  ]);
}

/** Revenue of a month beside credits, and the tax of its invoice. */
export interface EarnedAmounts {
  readonly fee: number;
  readonly overage: number;
  readonly tax: number;
}

/** Books on a month's last day what it earned, whenever it is invoiced. */
export function earnedEntry(
  heading: Omit<Heading, 'description'>,
  { fee, overage, tax }: EarnedAmounts,
  accounts: JournalAccounts,
): JournalEntry {
  return entryOf({ ...heading, description: 'Earned in the month' }, [
    [accounts.contractAssets, sumOf([fee, overage, tax], 'What was earned')],
    [accounts.overageRevenue, -overage],
    [accounts.feeRevenue, -fee],
    [accounts.taxPayable, -tax],
  ]);
}

/** An invoice as it was sealed, and its number. */
export type BookedInvoice = Pick<InvoiceSealed, 'issue_date' | 'month' | 'currency'> &
  Pick<InvoiceSealed, 'tax' | 'total' | 'reissues'> & { readonly number: string };

/**
 * Books an invoice: what was sold and earned before is owed by the customer now. Tax is booked as
 * it falls due; that of a voided invoice was taken back, so one in its place books its own.
 */
export function invoiceEntry(invoice: BookedInvoice, accounts: JournalAccounts): JournalEntry {
  const { number: document, issue_date: date, currency, total, reissues } = invoice;
  const description = `Invoice for ${invoice.month}`;
  const tax = reissues === undefined ? 0 : invoice.tax;
  return entryOf({ date, document, description, currency }, [
    [accounts.receivables, total],
    [accounts.contractAssets, tax - total],
    [accounts.taxPayable, -tax],
  ]);
}

/** A credit note as it was sealed, its number, and that of its invoice. */
export type BookedNote = Pick<CreditNoteSealed, 'issue_date' | 'currency' | 'tax' | 'total'> &
  Pick<
    CreditNoteSealed,
    'lines' | 'grant_id' | 'purchases' | 'reissued_as' | 'to_balance' | 'write_off'
  > & {
    readonly number: string;
    readonly of: string;
  };

/**
 * A credit note, whose lines name those of the invoice. The refund of a purchase was booked with
 * its unused credits; one of an older version took no credits: a deduction from revenue. What is
 * issued again goes back to the contract asset.
 */
export function creditNoteEntry(
  note: BookedNote,
  invoice: Pick<Invoice, 'lines'>,
  accounts: JournalAccounts,
): JournalEntry {
  const { number: document, issue_date: date, currency, tax, total } = note;
  const { to_balance: kept = 0, write_off: unwritten = 0 } = note;
  const description = `Credit note for ${note.of}`;
  const tookCredits = note.grant_id !== undefined || note.purchases !== undefined;
  const types = new Map(invoice.lines.map(({ n, type }) => [n, type]));
  const accountOf = (line: number) => {
    const type = types.get(line);
    if (type === undefined) throw new Error(`${note.of} has no line ${line}.`);
    if (note.reissued_as !== undefined) return accounts.contractAssets;
    if (type !== 'purchase') return revenueAccount(type, accounts);
    return tookCredits ? accounts.contractAssets : accounts.purchaseRefunds;
  };
  return entryOf({ date, document, description, currency }, [
    [accounts.receivables, kept + unwritten - total],
    [accounts.customerCredits, -kept],
    [accounts.badDebts, -unwritten],
    ...note.lines.map(([line, amount]) => [accountOf(line), amount] as const),
    [accounts.taxPayable, tax],
  ]);
}

/** An amount of money, and what of it is set against invoices. */
export interface BookedMoney {
  /** That came in; below zero it went out. */
  readonly money: number;
  readonly applied: number;
}

/** A payment, a refund, or the use of a credit balance: the rest of each changes that balance. */
export function moneyEntry(
  heading: Heading,
  { money, applied }: BookedMoney,
  accounts: JournalAccounts,
): JournalEntry {
  return entryOf(heading, [
    [accounts.bank, money],
    [accounts.receivables, -applied],
    [accounts.customerCredits, applied - money],
  ]);
}

/** A write-off, gross; below zero it is taken back. */
export function writeOffEntry(
  heading: Heading,
  amount: number,
  accounts: JournalAccounts,
): JournalEntry {
  return entryOf(heading, [
    [accounts.badDebts, amount],
    [accounts.receivables, -amount],
  ]);
}

/**
 * Books the part of a purchased grant that became revenue in a month: what was used, and as
 * breakage what expired or was voided and not given back. `date` is the month's last day.
 */
export function recognitionEntry(
  { grant_id: document, used, expired, voided }: GrantLiability,
  refunds: number,
  { date, currency }: { readonly date: string; readonly currency: string },
  accounts: JournalAccounts,
): JournalEntry {
  const forfeited = voided.amount - refunds;
  const broken = sumOf([expired.amount, forfeited], 'The breakage');
  const amounts = { used: used.amount, expired: expired.amount, forfeited };
  const ways = Object.entries(amounts).flatMap(([way, amount]) => (amount === 0 ? [] : [way]));
  const description = `Purchased credits: ${ways.join(', ')}`;
  return entryOf({ date, document, description, currency }, [
    [accounts.deferredRevenue, used.amount + broken],
    [accounts.creditRevenue, -used.amount],
    [accounts.breakageRevenue, -broken],
  ]);
}
