import { debtOf } from '#account/grants.js';
import { billableCredits, CREDITS_MAX } from '#account/limits.js';
import type { Tax } from '#account/terms.js';
import { priceOf, sumOf } from './money.js';
import type { MonthFacts } from './month-facts.js';
import { taxOn, taxTerms } from './tax.js';

/** A month's total at its end, if the account goes on as it did. */
export interface MonthForecast {
  readonly credits_used: number;
  readonly billed_credits: number;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
}

/** Basis of a month's forecast. */
export interface MonthSoFar {
  readonly facts: MonthFacts;
  /** Of an invoice issued now. */
  readonly net: number;
  /** Credits that are expected until the month ends. */
  readonly more: number;
  readonly billingTax?: Tax | undefined;
}

/**
 * The forecast of a running month. Grants and expiries to come are not foreseen, and nothing is
 * past the account's limits. Throws AmountOutOfRangeError where what is billed so far is out of
 * range.
 */
export function forecastMonth(soFar: MonthSoFar): MonthForecast {
  const { facts, net, billingTax } = soFar;
  const { plan, closing, usage } = facts;
  const used = usage.reduce((sum, { credits }) => sum + credits, 0);
  const more = Math.min(soFar.more, CREDITS_MAX - used);
  const debt = debtOf(closing.balance - more);
  const billed =
    plan === null ? 0 : Math.max(closing.overage, Math.min(debt, billableCredits(plan)));
  const price = plan?.price_per_1000_credits ?? 0;
  const foreseen = [net, -priceOf(closing.overage, price), priceOf(billed, price)];
  const sum = sumOf(foreseen, 'The forecast');
  const tax = taxOn(sum, taxTerms(plan, billingTax).rate_percent);
  const total = sumOf([sum, tax], 'The forecast');
  return { credits_used: used + more, billed_credits: billed, net: sum, tax, total };
}
