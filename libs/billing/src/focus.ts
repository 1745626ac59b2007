import { decimalsOf } from './currencies.js';
import type { FocusRow } from './focus-columns.js';
import type { CreditNote, Invoice, InvoiceLine } from './invoice.js';
import { linesOfUsage } from './lines-of-usage.js';
import { formatAmount } from './money.js';

// Documents and usage as rows of FOCUS 1.2 (FinOps Open Cost and Usage Specification).

/** The account, the month and who bills it, as every row names them. */
export interface FocusAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly issuer: string;
  /** Both UTC; the end is exclusive. */
  readonly month: FocusPeriod;
}

/** A stretch of time in UTC; its end is exclusive. */
export interface FocusPeriod {
  readonly from: string;
  readonly to: string;
}

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

/** Digits behind the point of a credit's worth in minor units. */
const WORTH_DIGITS = 10;
const CREDITS = 'Credits';
const PART = 'Part of the line';
const THOUSAND = 1_000n;
const THREE_DIGITS = 3;

/** An exact decimal of `value` / 10^digits, without zeros at its end. */
function decimal(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  const whole = text.slice(0, text.length - digits);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function headOf({ id, name, currency, issuer, month }: FocusAccount): FocusRow {
  return {
    BillingAccountId: id,
    BillingAccountName: name,
    BillingCurrency: currency,
    BillingPeriodStart: month.from,
    BillingPeriodEnd: month.to,
    InvoiceIssuerName: issuer,
    ProviderName: issuer,
    PublisherName: issuer,
    ServiceCategory: 'Analytics',
    ServiceName: 'Popularity index',
    ServiceSubcategory: 'Other (Analytics)',
  };
}

/**
 * The charges of an issued invoice and its tax: their BilledCost adds up to what is payable. Lines
 * that show credits only cost nothing and stand in the rows of usage.
 */
export function invoiceCharges(
  invoice: Invoice,
  account: FocusAccount,
  period: FocusPeriod,
): FocusRow[] {
  const head = { ...headOf(account), ...ofDocument(invoice, period) };
  const { currency } = invoice;
  const ofUsage = linesOfUsage(invoice);
  return [
    ...invoice.lines.flatMap((line) => {
      const price = priceOfLine(line, currency);
      if (price === undefined) return [];
      const cost = effective(ofUsage.includes(line.n) ? 0 : line.amount, currency);
      return [{ ...head, ...price, ...cost, ...described(line.description) }];
    }),
    ...taxRows(invoice, head),
  ];
}

/** A line of an invoice, and whether its cost is that of calls. */
export interface FocusLine {
  readonly line: InvoiceLine;
  readonly isOfUsage: boolean;
}

/** The parts of a credit note, negative. `lineOf`: the line of the invoice that a part is of. */
export function creditNoteCharges(
  note: CreditNote,
  account: FocusAccount,
  period: FocusPeriod,
  lineOf: (line: number) => FocusLine,
): FocusRow[] {
  const head = { ...headOf(account), ...ofDocument(note, period) };
  return [
    ...note.lines.map(({ amount, line: n, description }) => {
      const { line, isOfUsage } = lineOf(n);
      return {
        ...head,
        ...described(description),
        ...priceOfPart(line, amount, note.currency),
        ...effective(isOfUsage ? 0 : amount, note.currency),
      };
    }),
    ...taxRows(note, head),
  ];
}

/**
 * Calls, priced in credits. `worth`: the worth of so many credits of the month in minor units, as
 * far as money was paid for them.
 */
export function usageCharge(
  usage: FocusUsage,
  account: FocusAccount,
  worth: { readonly amount: number; readonly credits: number },
): FocusRow {
  const digits = decimalsOf(account.currency) + WORTH_DIGITS;
  const scaled = BigInt(worth.amount) * 10n ** BigInt(WORTH_DIGITS);
  const each = worth.credits > 0 ? scaled / BigInt(worth.credits) : 0n;
  const price = decimal(each, digits);
  const cost = decimal(each * BigInt(usage.credits), digits);
  const credits = String(usage.credits);
  return {
    ...headOf(account),
    ...described(`${usage.rule}, ${usage.kind === 'base' ? 'first' : 'repeated'} calls`),
    ...unit(price, cost, credits, CREDITS),
    BilledCost: '0',
    EffectiveCost: cost,
    ChargeCategory: 'Usage',
    ChargeFrequency: 'Usage-Based',
    ChargePeriodStart: usage.day.from,
    ChargePeriodEnd: usage.day.to,
    ConsumedQuantity: String(usage.calls),
    ConsumedUnit: 'Requests',
    PricingCurrency: CREDITS,
    PricingCurrencyContractedUnitPrice: '1',
    PricingCurrencyListUnitPrice: '1',
    PricingCurrencyEffectiveCost: credits,
    ...sku(usage.rule, usage.kind),
    x_Region: usage.region,
    ...(usage.tags !== null && { Tags: usage.tags }),
  };
}

function ofDocument(document: Invoice | CreditNote, period: FocusPeriod): FocusRow {
  const { number, currency } = document;
  return {
    InvoiceId: number,
    ChargePeriodStart: period.from,
    ChargePeriodEnd: period.to,
    PricingCurrency: currency,
    ...(isCorrection(document) && { ChargeClass: 'Correction' }),
  };
}

/** Whether it corrects a billing period that was invoiced before, and not the one that runs. */
function isCorrection(document: Invoice | CreditNote): boolean {
  const isLater = document.issue_date.slice(0, document.month.length) > document.month;
  return isLater && (document.type === 'credit_note' || document.reissue_of !== undefined);
}

function described(description: string): FocusRow {
  return description === '' ? {} : { ChargeDescription: description };
}

function sku(id: string, price: string): FocusRow {
  return { SkuId: id, SkuMeter: id, SkuPriceId: `${id}/${price}` };
}

/** Costs that follow from no unit price. */
function costs(billed: number, own: number, currency: string): FocusRow {
  const cost = formatAmount(billed, currency);
  return { BilledCost: cost, ContractedCost: cost, ListCost: cost, ...effective(own, currency) };
}

function effective(amount: number, currency: string): FocusRow {
  const cost = formatAmount(amount, currency);
  return { EffectiveCost: cost, PricingCurrencyEffectiveCost: cost };
}

/** Quantity, unit and price, whose product is the cost. */
function unit(price: string, cost: string, quantity: string, name: string): FocusRow {
  return {
    ContractedCost: cost,
    ContractedUnitPrice: price,
    ListCost: cost,
    ListUnitPrice: price,
    PricingCategory: 'Standard',
    PricingQuantity: quantity,
    PricingUnit: name,
  };
}

/** Unit of which a line sells one; undefined: it shows credits only. */
function nameOf(line: InvoiceLine): string | undefined {
  if (line.type === 'purchase') return `${line.granted_credits} ${CREDITS}`;
  if (line.type === 'overage') return `${line.billed_credits} ${CREDITS}`;
  return line.type === 'fee' ? 'Months' : undefined;
}

function priceOfLine(line: InvoiceLine, currency: string): FocusRow | undefined {
  const amount = formatAmount(line.amount, currency);
  const name = nameOf(line);
  if (name === undefined) return undefined;
  const one: FocusRow = {
    ...costs(line.amount, line.amount, currency),
    ...inCurrency(amount),
    ...unit(amount, amount, '1', name),
    ChargeCategory: 'Purchase',
    ChargeFrequency: 'One-Time',
    ...sku('credits', line.type),
  };
  if (line.type === 'fee') {
    return { ...one, ChargeFrequency: 'Recurring', ...sku('plan', 'month') };
  }
  if (line.type !== 'overage') return one;
  const cost = BigInt(line.billed_credits) * BigInt(line.price_per_1000_credits);
  const isRest = !isRounded(cost, line.amount);
  if (isRest) return one;
  const price = formatAmount(line.price_per_1000_credits, currency);
  const product = decimal(cost, decimalsOf(currency) + THREE_DIGITS);
  const quantity = decimal(BigInt(line.billed_credits), THREE_DIGITS);
  return {
    ...one,
    ...inCurrency(price),
    ...unit(price, product, quantity, `1000 ${CREDITS}`),
  };
}

/** A part of a line that is taken back: one less of what it cost. `amount`: negative. */
function priceOfPart(line: InvoiceLine, amount: number, currency: string): FocusRow {
  const whole = priceOfLine(line, currency);
  const price = formatAmount(-amount, currency);
  const isWhole = -amount === line.amount;
  return {
    ...whole,
    ...costs(amount, amount, currency),
    ...inCurrency(price),
    ...unit(price, formatAmount(amount, currency), '-1', (isWhole && nameOf(line)) || PART),
    ChargeFrequency: 'One-Time',
  };
}

/** Whether an amount is the cost of credits, of which 1,000 have the price. */
function isRounded(cost: bigint, amount: number): boolean {
  const difference = cost - BigInt(amount) * THOUSAND;
  return 2n * (difference < 0n ? -difference : difference) <= THOUSAND;
}

function inCurrency(price: string): FocusRow {
  return { PricingCurrencyContractedUnitPrice: price, PricingCurrencyListUnitPrice: price };
}

function taxRows({ tax_breakdown, currency }: Invoice | CreditNote, head: FocusRow): FocusRow[] {
  return tax_breakdown
    .filter(({ tax }) => tax !== 0)
    .map(({ tax, rate_percent }) => ({
      ...head,
      ...described(`VAT ${rate_percent} %`),
      ...costs(tax, tax, currency),
      ChargeCategory: 'Tax',
      ChargeFrequency: 'One-Time',
    }));
}
