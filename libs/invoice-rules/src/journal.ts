import type { CreditNoteSealed, InvoiceSealed } from '#account/billing-events.js';
import type { Tax } from '#account/terms.js';
import type { GrantLiability } from './credit-liability.js';
import type { Invoice } from './invoice.js';
import type { Ledger } from './ledger-accounts.js';
import { sumOf } from './money.js';

/** One side of an entry, in minor units: one of both is above 0, the other is 0. */
export interface Posting {
  readonly ledger: Ledger;
  readonly debit: number;
  readonly credit: number;
}

/** Accounts of what is taxed, and of the tax. */
const TAXED: ReadonlySet<Ledger> = new Set([
  'tax_payable',
  'deferred_revenue',
  'fee_revenue',
  'overage_revenue',
  'purchase_refunds',
]);

/** Category of UNTDID 5305, and rate. */
export type TaxCode = Pick<Tax, 'category' | 'rate_percent'>;

/** One booking. The sum of its debits is the sum of its credits. */
export interface JournalEntry {
  /** A local date. */
  readonly date: string;
  /** Number of the invoice or credit note that it is about; of what has none, its month. */
  readonly document: string;
  /** UUID of the document, payment or grant; null: it is about a month. */
  readonly documentId: string | null;
  readonly description: string;
  readonly currency: string;
  /** By which its `TAXED` accounts are taxed; null: it is about no tax. */
  readonly tax: TaxCode | null;
  /** Of the bank, as it was recorded with a payment. */
  readonly reference: string | null;
  readonly postings: readonly Posting[];
}

/** The tax code of a posting of an entry; null: none. */
export function taxCodeOf({ tax }: JournalEntry, { ledger }: Posting): TaxCode | null {
  return TAXED.has(ledger) ? tax : null;
}

/** Members of an entry beside its postings. */
export type Heading = Pick<JournalEntry, 'date' | 'document' | 'documentId' | 'currency'> &
  Partial<Pick<JournalEntry, 'tax' | 'reference'>>;

/** Amounts to be debited; those below zero are credited. Together they are 0. */
type Debits = readonly (readonly [ledger: Ledger, amount: number])[];

/** Collects amounts by account. Throws where an entry does not balance. */
function entryOf(heading: Heading, description: string, debits: Debits): JournalEntry {
  const sums = new Map<Ledger, number>();
  for (const [ledger, amount] of debits) {
    sums.set(ledger, sumOf([sums.get(ledger) ?? 0, amount], `The sum of ${ledger}`));
  }
  const difference = sumOf([...sums.values()], 'The difference');
  if (difference !== 0) throw new Error(`${heading.document} is out of balance by ${difference}.`);
  const postings = [...sums]
    .filter(([, amount]) => amount !== 0)
    .map(([ledger, amount]) => ({
      ledger,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    }));
  return { tax: null, reference: null, ...heading, description, postings };
}

/** Books a sale of credits on its day, with its tax if it is invoiced at once. */
export function saleEntry(
  heading: Heading,
  { price, tax }: { readonly price: number; readonly tax: number },
): JournalEntry {
  return entryOf(heading, 'Sale of credits', [
    ['contract_assets', sumOf([price, tax], 'The sale')],
    ['deferred_revenue', -price],
    ['tax_payable', -tax],
  ]);
}

/** Books what is given back of a purchase with its unused credits; its tax is the credit note's. */
export function refundEntry(heading: Heading, refund: number): JournalEntry {
  return entryOf(heading, 'Refund of unused credits', [
    ['deferred_revenue', refund],
    ['contract_assets', -refund],
  ]);
}

/** Revenue of a month beside credits, and the tax of its invoice. */
export interface EarnedAmounts {
  readonly fee: number;
  readonly overage: number;
  readonly tax: number;
}

/** Books on a month's last day what it earned, whenever it is invoiced. */
export function earnedEntry(heading: Heading, { fee, overage, tax }: EarnedAmounts): JournalEntry {
  return entryOf(heading, 'Earned in the month', [
    ['contract_assets', sumOf([fee, overage, tax], 'What was earned')],
    ['overage_revenue', -overage],
    ['fee_revenue', -fee],
    ['tax_payable', -tax],
  ]);
}

/** An invoice as it was sealed, and its number. */
export type BookedInvoice = Pick<InvoiceSealed, 'issue_date' | 'month' | 'currency'> &
  Pick<InvoiceSealed, 'invoice_id' | 'tax' | 'total' | 'reissues' | 'billing_tax'> & {
    readonly number: string;
  };

/**
 * Books an invoice: what was sold and earned before is owed by the customer now. Tax is booked as
 * it falls due; that of a voided invoice was taken back, so one in its place books its own.
 */
export function invoiceEntry(invoice: BookedInvoice): JournalEntry {
  const { number: document, invoice_id: documentId, issue_date: date, currency } = invoice;
  const { total, reissues, billing_tax } = invoice;
  const isReissue = reissues !== undefined;
  const tax = isReissue ? invoice.tax : 0;
  const heading = { date, document, documentId, currency };
  const code = isReissue && billing_tax !== undefined ? billing_tax : null;
  return entryOf({ ...heading, tax: code }, `Invoice for ${invoice.month}`, [
    ['receivables', total],
    ['contract_assets', tax - total],
    ['tax_payable', -tax],
  ]);
}

/** A credit note as it was sealed, its number, and that of its invoice. */
export type BookedNote = Pick<CreditNoteSealed, 'issue_date' | 'currency' | 'tax' | 'total'> &
  Pick<
    CreditNoteSealed,
    | 'credit_note_id'
    | 'lines'
    | 'grant_id'
    | 'purchases'
    | 'reissued_as'
    | 'to_balance'
    | 'write_off'
  > & {
    readonly number: string;
    readonly of: string;
  };

/** The invoice that a credit note corrects, as far as its entry needs it. */
export type CorrectedInvoice = Pick<Invoice, 'lines' | 'tax_breakdown'>;

/**
 * A credit note, whose lines name those of the invoice. The refund of a purchase was booked with
 * its unused credits; one of an older version took no credits: a deduction from revenue. What is
 * issued again goes back to the contract asset.
 */
export function creditNoteEntry(note: BookedNote, invoice: CorrectedInvoice): JournalEntry {
  const { number: document, credit_note_id: documentId, issue_date: date, currency } = note;
  const { tax, total, to_balance: kept = 0, write_off: unwritten = 0 } = note;
  const [code = null] = invoice.tax_breakdown;
  const tookCredits = note.grant_id !== undefined || note.purchases !== undefined;
  const types = new Map(invoice.lines.map(({ n, type }) => [n, type]));
  const ledgerOf = (line: number): Ledger => {
    const type = types.get(line);
    if (type === undefined) throw new Error(`${note.of} has no line ${line}.`);
    if (note.reissued_as !== undefined) return 'contract_assets';
    if (type !== 'purchase') return type === 'fee' ? 'fee_revenue' : 'overage_revenue';
    return tookCredits ? 'contract_assets' : 'purchase_refunds';
  };
  const heading = { date, document, documentId, currency, tax: code };
  return entryOf(heading, `Credit note for ${note.of}`, [
    ['receivables', kept + unwritten - total],
    ['customer_credits', -kept],
    ['bad_debts', -unwritten],
    ...note.lines.map(([line, amount]) => [ledgerOf(line), amount] as const),
    ['tax_payable', tax],
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
  description: string,
  { money, applied }: BookedMoney,
): JournalEntry {
  return entryOf(heading, description, [
    ['bank', money],
    ['receivables', -applied],
    ['customer_credits', applied - money],
  ]);
}

/** A write-off, gross; below zero it is taken back. */
export function writeOffEntry(heading: Heading, description: string, amount: number): JournalEntry {
  return entryOf(heading, description, [
    ['bad_debts', amount],
    ['receivables', -amount],
  ]);
}

/**
 * Books the part of a purchased grant that became revenue in a month: what was used, and as
 * breakage what expired or was voided and not given back. Its date is the month's last day.
 */
export function recognitionEntry(
  heading: Heading,
  { used, expired, voided }: GrantLiability,
  refunds: number,
): JournalEntry {
  const forfeited = voided.amount - refunds;
  const broken = sumOf([expired.amount, forfeited], 'The breakage');
  const amounts = { used: used.amount, expired: expired.amount, forfeited };
  const ways = Object.entries(amounts).flatMap(([way, amount]) => (amount === 0 ? [] : [way]));
  return entryOf(heading, `Purchased credits: ${ways.join(', ')}`, [
    ['deferred_revenue', used.amount + broken],
    ['credit_revenue', -used.amount],
    ['breakage_revenue', -broken],
  ]);
}
