import { parse } from 'csv-parse/sync';
import type { Answered } from '../../../../test/setup/admin-stage.js';

// Rules of FOCUS 1.2 for each row, written from the specification alone.

export type Row = Readonly<Record<string, string | null>>;

const MANDATORY = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceName',
];
const NULLABLE = ['ChargeClass', 'ChargeDescription', 'PricingQuantity', 'PricingUnit'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ChargeCategory: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  ChargeClass: ['Correction'],
  ChargeFrequency: ['One-Time', 'Recurring', 'Usage-Based'],
  PricingCategory: ['Standard', 'Dynamic', 'Committed', 'Other'],
  ServiceCategory: ['Analytics'],
  ServiceSubcategory: ['Other (Analytics)'],
};
/** Null of taxes, and of usage and purchases there unless they are corrections. */
const OF_PRICES = [
  'ContractedUnitPrice',
  'ListUnitPrice',
  'PricingCategory',
  'PricingCurrencyContractedUnitPrice',
  'PricingCurrencyListUnitPrice',
  'PricingQuantity',
  'SkuId',
  'SkuPriceId',
];
const NUMBER = /^-?\d+(\.\d+)?$/;
/** A flat object of texts. */
function isTags(cell: string | null): boolean {
  if (cell === null) return true;
  const tags = JSON.parse(cell) as Readonly<Record<string, unknown>>;
  return Object.values(tags).every((value) => typeof value === 'string');
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A decimal as hundred-trillionths, exact. */
function exact(text: string): bigint {
  const digits = 20;
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function isProduct(price: string | null, quantity: string | null, cost: string | null): boolean {
  if (price === null || quantity === null || cost === null) return true;
  return exact(price) * exact(quantity) === exact(cost) * exact('1');
}

function faultsOfColumns(row: Row): string[] {
  return [
    ...MANDATORY.filter((name) => row[name] === undefined).map((name) => `${name} is absent`),
    ...MANDATORY.filter((name) => row[name] === null && !NULLABLE.includes(name)).map(
      (name) => `${name} is null`,
    ),
    ...Object.entries(row).flatMap(([name, cell]) => {
      if (cell === null) return [];
      const isBad =
        cell === '' ||
        (/(Cost|Price|Quantity)$/.test(name) && !NUMBER.test(cell)) ||
        (name.endsWith('UnitPrice') && cell.startsWith('-')) ||
        (/Period(Start|End)$/.test(name) && !INSTANT.test(cell)) ||
        ALLOWED[name]?.includes(cell) === false;
      return isBad ? [`${name} is ${cell}`] : [];
    }),
  ];
}

/** Rules of FOCUS that a row breaks; a cell is null where the file has none. */
export function focusFaults(row: Row): string[] {
  const cell = (name: string): string | null => row[name] ?? null;
  const category = cell('ChargeCategory');
  const isPriced = ['Usage', 'Purchase'].includes(category ?? '') && cell('ChargeClass') === null;
  const rules: readonly (readonly [string, boolean])[] = [
    ['period', (cell('ChargePeriodStart') ?? '') < (cell('ChargePeriodEnd') ?? '')],
    ['month', (cell('BillingPeriodStart') ?? '') < (cell('BillingPeriodEnd') ?? '')],
    ['currency', /^[A-Z]{3}$/.test(cell('BillingCurrency') ?? '')],
    ['priced', !isPriced || OF_PRICES.every((name) => cell(name) !== null)],
    ['tax', category !== 'Tax' || OF_PRICES.every((name) => cell(name) === null)],
    ['consumed', (category === 'Usage') === (cell('ConsumedQuantity') !== null)],
    ['consumed unit', (cell('ConsumedUnit') === null) === (cell('ConsumedQuantity') === null)],
    ['pricing unit', (cell('PricingUnit') === null) === (cell('PricingQuantity') === null)],
    ['frequency', category !== 'Purchase' || cell('ChargeFrequency') !== 'Usage-Based'],
    ['tags', isTags(cell('Tags'))],
    ['meter', cell('SkuId') !== null || cell('SkuMeter') === null],
    ['pricing currency', cell('PricingCurrency') !== null],
    ['pricing effective cost', cell('PricingCurrencyEffectiveCost') !== null],
    [
      'contracted cost',
      isProduct(cell('ContractedUnitPrice'), cell('PricingQuantity'), cell('ContractedCost')),
    ],
    ['list cost', isProduct(cell('ListUnitPrice'), cell('PricingQuantity'), cell('ListCost'))],
  ];
  return [...faultsOfColumns(row), ...rules.filter(([, holds]) => !holds).map(([name]) => name)];
}

/** The rows of a file; an empty cell is null. */
export function focusRowsOf({ text }: Answered): Row[] {
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell || null])),
  );
}
