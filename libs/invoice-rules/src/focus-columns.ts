import { quotedCell, safeText } from './csv-text.js';

/** A stretch of time in UTC; its end is exclusive. */
export interface FocusPeriod {
  readonly from: string;
  readonly to: string;
}

/** The account, the month and who bills it, as every row names them. */
export interface FocusAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly issuer: string;
  readonly month: FocusPeriod;
}

/** A charge as a row of FOCUS states it. Amounts are exact decimals of the account's currency. */
export interface FocusCharge {
  readonly account: FocusAccount;
  /** Number of the document that bills it. */
  readonly invoice?: string | undefined;
  readonly isCorrection?: boolean;
  readonly category: 'Purchase' | 'Tax' | 'Usage';
  readonly frequency: 'One-Time' | 'Recurring' | 'Usage-Based';
  readonly period: FocusPeriod;
  readonly description: string;
  readonly billed: string;
  readonly cost: string;
  /** The share of the cost that no calls pay for; of calls, what they are worth. */
  readonly effective: string;
  /** Absent: the cost follows from no unit price. */
  readonly price?: { readonly each: string; readonly quantity: string; readonly unit: string };
  /** In which it is priced, where that is not the account's currency. */
  readonly credits?: string;
  readonly sku?: { readonly id: string; readonly price: string };
  /** Of calls; `tags`: all of each call as a JSON object, null: they have none. */
  readonly calls?: {
    readonly count: number;
    readonly region: string;
    readonly tags: string | null;
  };
}

/** Unit of prices, and the currency in which calls are priced. */
export const CREDITS = 'Credits';

/** `number`: an exact decimal, `json`: a value of JSON as text. */
type Kind = 'text' | 'number' | 'json';
type Column = readonly [name: string, kind: Kind, cellOf: (charge: FocusCharge) => Cell];
/** Undefined: null. */
type Cell = string | undefined;

const priceOf = ({ price }: FocusCharge): Cell => price?.each;
const priceInCredits = (charge: FocusCharge): Cell => (charge.credits ? '1' : priceOf(charge));

/** The columns of FOCUS 1.2 in alphabetical order; those that begin with `x_` are our own. */
const COLUMNS: readonly Column[] = [
  ['BilledCost', 'number', ({ billed }) => billed],
  ['BillingAccountId', 'text', ({ account }) => account.id],
  ['BillingAccountName', 'text', ({ account }) => account.name],
  ['BillingCurrency', 'text', ({ account }) => account.currency],
  ['BillingPeriodEnd', 'text', ({ account }) => account.month.to],
  ['BillingPeriodStart', 'text', ({ account }) => account.month.from],
  ['ChargeCategory', 'text', ({ category }) => category],
  ['ChargeClass', 'text', ({ isCorrection }) => (isCorrection ? 'Correction' : undefined)],
  ['ChargeDescription', 'text', ({ description }) => description || undefined],
  ['ChargeFrequency', 'text', ({ frequency }) => frequency],
  ['ChargePeriodEnd', 'text', ({ period }) => period.to],
  ['ChargePeriodStart', 'text', ({ period }) => period.from],
  ['ConsumedQuantity', 'number', ({ calls }) => calls && String(calls.count)],
  ['ConsumedUnit', 'text', ({ calls }) => calls && 'Requests'],
  ['ContractedCost', 'number', ({ cost }) => cost],
  ['ContractedUnitPrice', 'number', priceOf],
  ['EffectiveCost', 'number', ({ effective }) => effective],
  ['InvoiceId', 'text', ({ invoice }) => invoice],
  ['InvoiceIssuerName', 'text', ({ account }) => account.issuer],
  ['ListCost', 'number', ({ cost }) => cost],
  ['ListUnitPrice', 'number', priceOf],
  ['PricingCategory', 'text', ({ price }) => price && 'Standard'],
  ['PricingCurrency', 'text', ({ credits, account }) => (credits ? CREDITS : account.currency)],
  ['PricingCurrencyContractedUnitPrice', 'number', priceInCredits],
  ['PricingCurrencyEffectiveCost', 'number', ({ credits, effective }) => credits ?? effective],
  ['PricingCurrencyListUnitPrice', 'number', priceInCredits],
  ['PricingQuantity', 'number', ({ price }) => price?.quantity],
  ['PricingUnit', 'text', ({ price }) => price?.unit],
  ['ProviderName', 'text', ({ account }) => account.issuer],
  ['PublisherName', 'text', ({ account }) => account.issuer],
  ['ServiceCategory', 'text', () => 'Analytics'],
  ['ServiceName', 'text', () => 'Popularity index'],
  ['ServiceSubcategory', 'text', () => 'Other (Analytics)'],
  ['SkuId', 'text', ({ sku }) => sku?.id],
  ['SkuMeter', 'text', ({ sku }) => sku?.id],
  ['SkuPriceId', 'text', ({ sku }) => sku && `${sku.id}/${sku.price}`],
  ['Tags', 'json', ({ calls }) => calls?.tags ?? undefined],
  ['x_Region', 'text', ({ calls }) => calls?.region],
];

export const FOCUS_HEADER = `${COLUMNS.map(([name]) => name).join(',')}\r\n`;

/** The cells of a charge by column. */
export function focusCells(charge: FocusCharge): Readonly<Record<string, string | null>> {
  return Object.fromEntries(COLUMNS.map(([name, , cellOf]) => [name, cellOf(charge) ?? null]));
}

export function focusCsvLine(charge: FocusCharge): string {
  const cells = COLUMNS.map(([, kind, cellOf]) => {
    const cell = cellOf(charge) ?? '';
    return kind === 'number' ? cell : quotedCell(safeText(cell));
  });
  return `${cells.join(',')}\r\n`;
}

/** Decimals as they are: a number of the language would round them. */
export function focusJsonLine(charge: FocusCharge): string {
  const members = COLUMNS.map(([name, kind, cellOf]) => {
    const cell = cellOf(charge);
    const isValue = cell !== undefined && kind !== 'text';
    return `"${name}":${isValue ? cell : JSON.stringify(cell ?? null)}`;
  });
  return `{${members.join(',')}}\n`;
}
