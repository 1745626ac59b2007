import type { Tax } from '#account/events.js';
import { DAY_MS } from '#account/forecast.js';
import { debtOf } from '#account/grants.js';
import { billableCredits, CREDITS_MAX } from '#account/limits.js';
import type { Span } from '#calendar/span.js';
import { priceOf, sumOf } from './money.js';
import type { MonthFacts } from './month-facts.js';
import { taxOn, taxTerms } from './tax.js';

/** A month's total at its end, if the account goes on at the pace of the month so far. */
export interface MonthForecast {
  readonly credits_used: number;
  readonly billed_credits: number;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
}

/** Basis of a month's forecast. Moments are in ms since 1970. */
export interface MonthSoFar {
  readonly facts: MonthFacts;
  /** Of an invoice issued now. */
  readonly net: number;
  readonly month: Span;
  /** When the account was opened. */
  readonly openedAt: number;
  readonly at: number;
  readonly billingTax?: Tax | undefined;
}

/**
 * The forecast of a running month. The pace is that since its start or the account's opening, over
 * at least a day. Grants and expiries to come are not foreseen, and nothing is past the account's
 * limits. Throws AmountOutOfRangeError where what is billed so far is out of range.
 */
export function forecastMonth(soFar: MonthSoFar): MonthForecast {
  const { facts, net, month, openedAt, at, billingTax } = soFar;
  const { plan, closing, usage } = facts;
  const elapsedMs = Math.max(DAY_MS, at - Math.max(month.startsAt, openedAt));
  const used = usage.reduce((sum, { credits }) => sum + credits, 0);
  const pace = Math.round((used * Math.max(0, month.endsAt - at)) / elapsedMs);
  const more = Math.min(pace, CREDITS_MAX - used);
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
