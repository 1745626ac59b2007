import { decimalsOf } from './currencies.js';
import type { CreditNote, Invoice, InvoiceLine } from './invoice.js';
import { linesOfUsage } from './lines-of-usage.js';
import { formatAmount } from './money.js';

// FOCUS 1.2 (FinOps Open Cost and Usage Specification): its columns, and what we say in them.

const TEXTS = [
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ConsumedUnit',
  'InvoiceId',
  'InvoiceIssuerName',
  'PricingCategory',
  'PricingCurrency',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceName',
  'ServiceSubcategory',
  'SkuId',
  'SkuMeter',
  'SkuPriceId',
  'x_Region',
] as const;
/** Objects of JSON, as text. */
const OBJECTS = ['Tags'] as const;
const NUMBERS = [
  'BilledCost',
  'ConsumedQuantity',
  'ContractedCost',
  'ContractedUnitPrice',
  'EffectiveCost',
  'ListCost',
  'ListUnitPrice',
  'PricingCurrencyContractedUnitPrice',
  'PricingCurrencyEffectiveCost',
  'PricingCurrencyListUnitPrice',
  'PricingQuantity',
] as const;

/** A column; those that begin with `x_` are our own. */
export type FocusColumn = (typeof TEXTS | typeof OBJECTS | typeof NUMBERS)[number];

/** All columns in alphabetical order; our own come last. */
export const FOCUS_COLUMNS: readonly FocusColumn[] = [...TEXTS, ...OBJECTS, ...NUMBERS].toSorted(
  (one, other) => (one < other ? -1 : 1),
);

/** Columns whose cells are decimals: exact, as text. */
export const FOCUS_NUMBERS: ReadonlySet<FocusColumn> = new Set(NUMBERS);

/** Columns whose cells are values of JSON as they stand. */
export const FOCUS_VALUES: ReadonlySet<FocusColumn> = new Set([...NUMBERS, ...OBJECTS]);

/** A row of FOCUS; an absent column is null. */
export type FocusRow = Readonly<Partial<Record<FocusColumn, string>>>;

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

/** The parts of a credit note, negative. `isOfUsage`: whether a line of the invoice was. */
export function creditNoteCharges(
  note: CreditNote,
  account: FocusAccount,
  period: FocusPeriod,
  isOfUsage: (line: number) => boolean,
): FocusRow[] {
  const head = { ...headOf(account), ...ofDocument(note, period), ChargeClass: 'Correction' };
  return [
    ...note.lines.map(({ amount, line, description }) => ({
      ...head,
      ...described(description),
      ...costs(amount, isOfUsage(line) ? 0 : amount, note.currency),
      ChargeCategory: 'Purchase',
      ChargeFrequency: 'One-Time',
    })),
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

function ofDocument({ number, currency }: Invoice | CreditNote, period: FocusPeriod): FocusRow {
  return {
    InvoiceId: number,
    ChargePeriodStart: period.from,
    ChargePeriodEnd: period.to,
    PricingCurrency: currency,
  };
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

function priceOfLine(line: InvoiceLine, currency: string): FocusRow | undefined {
  const amount = formatAmount(line.amount, currency);
  const one = (name: string): FocusRow => ({
    ...costs(line.amount, line.amount, currency),
    ...inCurrency(amount),
    ...unit(amount, amount, '1', name),
    ChargeCategory: 'Purchase',
    ChargeFrequency: 'One-Time',
    ...sku('credits', line.type),
  });
  if (line.type === 'purchase') return one(`${line.granted_credits} ${CREDITS}`);
  if (line.type === 'fee') {
    return { ...one('Months'), ChargeFrequency: 'Recurring', ...sku('plan', 'month') };
  }
  if (line.type !== 'overage') return undefined;
  const cost = BigInt(line.billed_credits) * BigInt(line.price_per_1000_credits);
  const isRest = !isRounded(cost, line.amount);
  if (isRest) return one(`${line.billed_credits} ${CREDITS}`);
  const price = formatAmount(line.price_per_1000_credits, currency);
  const product = decimal(cost, decimalsOf(currency) + THREE_DIGITS);
  const quantity = decimal(BigInt(line.billed_credits), THREE_DIGITS);
  return {
    ...one(''),
    ...inCurrency(price),
    ...unit(price, product, quantity, `1000 ${CREDITS}`),
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
