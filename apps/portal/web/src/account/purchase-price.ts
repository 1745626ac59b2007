import type { Plan, Tax } from '#account/terms.js';
import { taxOn, taxTerms } from '#invoice-rules/tax.js';

/** A purchase as its invoice will state it, in minor units. */
export interface PurchasePrice {
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  readonly ratePercent: number;
}

/** The price of a package with the account's tax. `own`: of its billing details. */
export function purchasePrice(net: number, plan: Plan | null, own?: Tax): PurchasePrice {
  const { rate_percent: ratePercent } = taxTerms(plan, own);
  const tax = taxOn(net, ratePercent);
  return { net, tax, total: net + tax, ratePercent };
}
