import type { CreditNote, Invoice, InvoiceLine, TaxBreakdown } from './invoice.js';
import { quotedCell, safeText } from './csv-text.js';
import { formatAmount } from './money.js';
import { taxText } from './tax-text.js';

/**
 * Columns of an invoice's CSV and of the monthly export, which is many of them under one header: a
 * row for each line, one for each tax category (`line_type` is `tax`), one for each payment. They
 * stay in this order; new ones are added at the end. The amounts of a document's rows add up to its
 * total. What the credit balance pays of an invoice stands in its first row alone, so that a column
 * adds up.
 */
export const CSV_COLUMNS = [
  'document',
  'number',
  'account_id',
  'month',
  'period_from',
  'period_to',
  'issue_date',
  'due_date',
  'currency',
  'buyer_name',
  'buyer_country',
  'buyer_vat_id',
  'invoice_number',
  'reason',
  'line',
  'line_type',
  'description',
  'rule',
  'kind',
  'grant_id',
  'call_id',
  'calls',
  'credits',
  'billed_credits',
  'granted_credits',
  'price_per_1000_credits',
  'price_per_1000_credits_minor',
  'tax_category',
  'tax_rate_percent',
  'amount',
  'amount_minor',
  'prepaid',
  'prepaid_minor',
] as const;

export type CsvColumn = (typeof CSV_COLUMNS)[number];
/** A text is safe to be opened in a spreadsheet; what is absent is empty. */
export type CsvCell = string | number;
type Row = Partial<Record<CsvColumn, CsvCell | null | undefined>>;

const NUMERIC: ReadonlySet<CsvColumn> = new Set(['amount', 'price_per_1000_credits', 'prepaid']);

/** Decimal amounts are texts of this program's own: a negative one stays a number. */
function cellsOf(row: Row): CsvCell[] {
  return CSV_COLUMNS.map((column) => {
    const value = row[column] ?? '';
    return typeof value === 'string' && !NUMERIC.has(column) ? safeText(value) : value;
  });
}

function amountOf(minor: number, currency: string): Row {
  return { amount: formatAmount(minor, currency), amount_minor: minor };
}

function headOf(document: Invoice | CreditNote): Row {
  const { type, number, account_id, month, issue_date, currency, buyer } = document;
  return {
    document: type,
    number,
    account_id,
    month,
    issue_date,
    currency,
    buyer_name: buyer.name,
    buyer_country: buyer.address?.country,
    buyer_vat_id: buyer.vat_id,
  };
}

function pricesOf(line: InvoiceLine, currency: string): Row {
  if (line.type !== 'overage') return {};
  const { price_per_1000_credits: price } = line;
  return {
    price_per_1000_credits: formatAmount(price, currency),
    price_per_1000_credits_minor: price,
  };
}

function lineRow(line: InvoiceLine, currency: string): Row {
  const { n, type, amount, ...members } = line;
  const prices = pricesOf(line, currency);
  return { ...members, ...prices, line: n, line_type: type, ...amountOf(amount, currency) };
}

function taxRows(rows: readonly TaxBreakdown[], currency: string): Row[] {
  return rows.map(({ category, rate_percent, tax, reason }) => ({
    line_type: 'tax',
    description: reason ?? taxText(rate_percent),
    tax_category: category,
    tax_rate_percent: rate_percent,
    ...amountOf(tax, currency),
  }));
}

/** The part of an invoice that is paid as it is issued. */
function prepaidOf({ prepaid, currency }: Invoice): Row {
  if (prepaid === undefined) return {};
  return { prepaid: formatAmount(prepaid, currency), prepaid_minor: prepaid };
}

/** The rows of an invoice, in the order of its lines, its tax last. */
export function invoiceRows(invoice: Invoice): CsvCell[][] {
  const { currency, due_date, period, lines, tax_breakdown, reissue_of: of } = invoice;
  const dates = { due_date, period_from: period.from, period_to: period.to };
  const head = { ...headOf(invoice), ...dates, invoice_number: of?.number };
  const rows = lines.map((line) => lineRow(line, currency));
  return [...rows, ...taxRows(tax_breakdown, currency)].map((row, index) =>
    cellsOf({ ...head, ...row, ...(index === 0 && prepaidOf(invoice)) }),
  );
}

/** An invoice or credit note as CSV (RFC 4180) under a header line, its tax last. */
export function documentCsv(document: Invoice | CreditNote): string {
  const rows = document.type === 'invoice' ? invoiceRows(document) : creditNoteRows(document);
  return [CSV_COLUMNS, ...rows].map(csvLine).join('');
}

/** A line of cells that are safe as they come. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quotedCell(String(cell))).join(',')}\r\n`;
}

/** The rows of a credit note, whose amounts are negative; `line` is the invoice's. */
export function creditNoteRows(note: CreditNote): CsvCell[][] {
  const { currency, invoice, reason, lines, tax_breakdown } = note;
  const head = { ...headOf(note), invoice_number: invoice.number, reason };
  const rows = lines.map(({ line, type, description, call_id, amount }) => ({
    line,
    line_type: type,
    description,
    call_id,
    ...amountOf(amount, currency),
  }));
  return [...rows, ...taxRows(tax_breakdown, currency)].map((row) => cellsOf({ ...head, ...row }));
}

/** A payment, refund or write-off, as far as it is about one invoice or the credit balance. */
export interface ExportedPayment {
  readonly document: 'payment' | 'refund' | 'write_off';
  readonly payment_id: string;
  readonly account_id: string;
  /** Null: of the credit balance. */
  readonly invoice_number: string | null;
  /** Month of supply of the invoice. */
  readonly month: string | null;
  /** A local date. */
  readonly date: string;
  readonly currency: string;
  readonly amount: number;
  readonly reference: string | null;
}

/** The row of a payment: `number` is its id, `description` its reference. */
export function paymentRow(payment: ExportedPayment): CsvCell[] {
  const { document, payment_id, account_id, invoice_number, month, date, currency } = payment;
  return cellsOf({
    document,
    number: payment_id,
    account_id,
    month,
    issue_date: date,
    currency,
    invoice_number,
    line_type: document,
    description: payment.reference,
    ...amountOf(payment.amount, currency),
  });
}
