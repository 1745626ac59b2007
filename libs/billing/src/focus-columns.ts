// The columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification).

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
