import { decimalsOf } from './currencies.js';
import { CREDITS, type FocusAccount, type FocusCharge, type FocusPeriod } from './focus-columns.js';
import type { CreditNote, Invoice, InvoiceLine } from './invoice.js';
import { linesOfUsage } from './lines-of-usage.js';
import { formatAmount } from './money.js';
import { taxText } from './tax-text.js';

// Documents and usage as charges of FOCUS 1.2 (FinOps Open Cost and Usage Specification).

/** Calls of a day, by rule, kind, region and tags. */
export interface FocusUsage {
  readonly day: FocusPeriod;
  readonly rule: string;
  readonly kind: string;
  readonly region: string;
  /** All tags of each call as a JSON object; null: they have none. */
  readonly tags: string | null;
  readonly calls: number;
  readonly credits: number;
}

/** A line of an invoice, and whether its cost is that of calls. */
export interface FocusLine {
  readonly line: InvoiceLine;
  readonly isOfUsage: boolean;
}

type Price = NonNullable<FocusCharge['price']>;

/** Digits behind the point of a credit's worth in minor units. */
const WORTH_DIGITS = 10;
const THOUSAND = 1_000n;
const THREE_DIGITS = 3;

/** The lines of an invoice that cost something. Others show credits: rows of usage hold those. */
export function focusLines(invoice: Invoice): FocusLine[] {
  const ofUsage = linesOfUsage(invoice);
  return invoice.lines
    .filter((line) => unitOf(line) !== undefined)
    .map((line) => ({ line, isOfUsage: ofUsage.includes(line.n) }));
}

/** The charges of an issued invoice and its tax: what they bill adds up to what is payable. */
export function invoiceCharges(
  invoice: Invoice,
  account: FocusAccount,
  period: FocusPeriod,
): FocusCharge[] {
  const head = headOf(invoice, account, period);
  const { currency } = invoice;
  const lines = focusLines(invoice).map(({ line, isOfUsage }): FocusCharge => {
    const price = priceOf(line, currency);
    return {
      ...head,
      ...ofLine(line),
      ...costs(line.amount, isOfUsage ? 0 : line.amount, currency),
      cost: price.cost,
      price,
      description: line.description,
    };
  });
  return [...lines, ...taxCharges(invoice, head)];
}

/** The parts of a credit note, negative. `lineOf`: the line of the invoice that a part is of. */
export function creditNoteCharges(
  note: CreditNote,
  account: FocusAccount,
  period: FocusPeriod,
  lineOf: (line: number) => FocusLine,
): FocusCharge[] {
  const head = headOf(note, account, period);
  const { currency } = note;
  const parts = note.lines.map(({ amount, line: n, description }): FocusCharge => {
    const { line, isOfUsage } = lineOf(n);
    const unit = (-amount === line.amount && unitOf(line)) || 'Part of the line';
    return {
      ...head,
      ...ofLine(line),
      frequency: 'One-Time',
      ...costs(amount, isOfUsage ? 0 : amount, currency),
      price: { each: formatAmount(-amount, currency), quantity: '-1', unit },
      description,
    };
  });
  return [...parts, ...taxCharges(note, head)];
}

/**
 * Calls, priced in credits. `worth`: the worth of so many credits of the month in minor units, as
 * far as money was paid for them.
 */
export function usageCharge(
  usage: FocusUsage,
  account: FocusAccount,
  worth: { readonly amount: number; readonly credits: number },
  invoice?: string,
): FocusCharge {
  const { rule, kind, region, tags, day, credits } = usage;
  const digits = decimalsOf(account.currency) + WORTH_DIGITS;
  const scaled = BigInt(worth.amount) * 10n ** BigInt(WORTH_DIGITS);
  const each = worth.credits > 0 ? scaled / BigInt(worth.credits) : 0n;
  const cost = decimal(each * BigInt(credits), digits);
  return {
    account,
    invoice,
    category: 'Usage',
    frequency: 'Usage-Based',
    period: day,
    description: `${rule}, ${kind === 'base' ? 'first' : 'repeated'} calls`,
    billed: '0',
    cost,
    effective: cost,
    price: { each: decimal(each, digits), quantity: String(credits), unit: CREDITS },
    credits: String(credits),
    sku: { id: rule, price: kind },
    calls: { count: usage.calls, region, tags },
  };
}

type Head = Pick<FocusCharge, 'account' | 'invoice' | 'period' | 'isCorrection'>;

function headOf(document: Invoice | CreditNote, account: FocusAccount, period: FocusPeriod): Head {
  return { account, invoice: document.number, period, isCorrection: isCorrection(document) };
}

/** Whether it corrects a billing period that was invoiced before, and not the one that runs. */
function isCorrection(document: Invoice | CreditNote): boolean {
  const isLater = document.issue_date.slice(0, document.month.length) > document.month;
  return isLater && (document.type === 'credit_note' || document.reissue_of !== undefined);
}

function ofLine({ type }: InvoiceLine): Pick<FocusCharge, 'category' | 'frequency' | 'sku'> {
  return type === 'fee'
    ? { category: 'Purchase', frequency: 'Recurring', sku: { id: 'plan', price: 'month' } }
    : { category: 'Purchase', frequency: 'One-Time', sku: { id: 'credits', price: type } };
}

function costs(billed: number, effective: number, currency: string) {
  const cost = formatAmount(billed, currency);
  return { billed: cost, cost, effective: formatAmount(effective, currency) };
}

/** Unit of which a line sells one; undefined: it shows credits only. */
function unitOf(line: InvoiceLine): string | undefined {
  if (line.type === 'purchase') return `${line.granted_credits} ${CREDITS}`;
  if (line.type === 'overage') return `${line.billed_credits} ${CREDITS}`;
  return line.type === 'fee' ? 'Months' : undefined;
}

/** Price, quantity and unit of a line, and their product. */
function priceOf(line: InvoiceLine, currency: string): Price & { readonly cost: string } {
  const amount = formatAmount(line.amount, currency);
  const one = { each: amount, quantity: '1', unit: unitOf(line) ?? '', cost: amount };
  if (line.type !== 'overage') return one;
  const cost = BigInt(line.billed_credits) * BigInt(line.price_per_1000_credits);
  if (!isRounded(cost, line.amount)) return one;
  return {
    each: formatAmount(line.price_per_1000_credits, currency),
    quantity: decimal(BigInt(line.billed_credits), THREE_DIGITS),
    unit: `1000 ${CREDITS}`,
    cost: decimal(cost, decimalsOf(currency) + THREE_DIGITS),
  };
}

/** Whether an amount is the cost of credits, of which 1,000 have the price, and no rest of it. */
function isRounded(cost: bigint, amount: number): boolean {
  const difference = cost - BigInt(amount) * THOUSAND;
  return 2n * (difference < 0n ? -difference : difference) <= THOUSAND;
}

/** An exact decimal of `value` / 10^digits, without zeros at its end. */
function decimal(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  const whole = text.slice(0, text.length - digits);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function taxCharges({ tax_breakdown, currency }: Invoice | CreditNote, head: Head): FocusCharge[] {
  return tax_breakdown
    .filter(({ tax }) => tax !== 0)
    .map(({ tax, rate_percent }) => ({
      ...head,
      category: 'Tax',
      frequency: 'One-Time',
      ...costs(tax, tax, currency),
      description: taxText(rate_percent),
    }));
}
