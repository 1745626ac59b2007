import type { TaxBreakdown, TaxCategory } from '#invoice-rules/invoice.js';

/** The tax categories of EN 16931 (codes of UNTDID 5305), as people read them. */
export const TAX_NAMES: Readonly<Record<TaxCategory, string>> = {
  S: 'Standard rate',
  Z: 'Zero rate',
  E: 'Exempt',
  AE: 'Reverse charge',
  G: 'Export',
  O: 'Outside the scope of VAT',
};

/** `Standard rate, 20 %` or `Reverse charge` */
export function taxWords({
  category,
  rate_percent: rate,
}: Pick<TaxBreakdown, 'category' | 'rate_percent'>): string {
  return rate === 0 ? TAX_NAMES[category] : `${TAX_NAMES[category]}, ${rate} %`;
}
