import { divideHalfUp } from '#account/rounding.js';
import type { Plan, Tax } from '#account/terms.js';
import type { TaxBreakdown, TaxCategory } from './invoice.js';
import { toSafeInteger } from './money.js';

/** Why categories other than the taxed ones bear no tax, where a plan does not say so itself. */
const REASONS: Record<Exclude<TaxCategory, 'S' | 'Z'>, string> = {
  E: 'Exempt from tax',
  AE: 'Reverse charge',
  G: 'Export outside the EU',
  O: 'Not subject to tax',
};
/** Rates have at most four decimals. */
const RATE_SCALE = 10_000;
const PERCENT = 100n;

/** The tax of everything on an invoice: that of the billing details, else the plan's, else none. */
export function taxTerms(plan: Plan | null, billingTax?: Tax): Tax {
  return billingTax ?? plan?.tax ?? { category: 'O', rate_percent: 0 };
}

/** The tax of what is issued again: as it is now, or as it was where nothing says one. */
export function reissueTax(
  plan: Plan | null,
  billingTax: Tax | undefined,
  [before]: readonly TaxBreakdown[],
): Tax {
  if (plan === null && billingTax === undefined && before !== undefined) {
    const { category, rate_percent, reason } = before;
    return { category, rate_percent, ...(reason !== undefined && { reason }) };
  }
  return taxTerms(plan, billingTax);
}

/**
 * The tax on a net amount in minor units, rounded half up, away from zero. The rate has at most
 * four decimals. Throws AmountOutOfRangeError.
 */
export function taxOn(net: number, ratePercent: number): number {
  const rate = BigInt(Math.round(ratePercent * RATE_SCALE));
  const tax = divideHalfUp(BigInt(net) * rate, BigInt(RATE_SCALE) * PERCENT);
  return toSafeInteger(tax, 'The tax');
}

/** One row of the tax breakdown. Taxed categories must not give a reason (BR-S-10, BR-Z-10). */
export function taxRow(terms: Tax, taxable: number, tax: number): TaxBreakdown {
  const { category, rate_percent } = terms;
  const row = { category, rate_percent, taxable, tax };
  if (category === 'S' || category === 'Z') return row;
  return { ...row, reason: terms.reason ?? REASONS[category] };
}
