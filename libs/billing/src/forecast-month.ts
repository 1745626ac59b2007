import { DAY_MS } from '#account/forecast.js';
import { debtOf } from '#account/grants.js';
import type { Span } from '#calendar/span.js';
import { invoiceLines } from './invoice-lines.js';
import { priceOf, sumOf } from './money.js';
import type { MonthFacts } from './month-facts.js';
import { taxOn, taxTerms } from './tax.js';

/** What a month comes to at its end, if the account goes on at the pace of the month so far. */
export interface MonthForecast {
  readonly calls: number;
  readonly credits: number;
  readonly billed_credits: number;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
}

/**
 * The forecast of a running month at a moment (ms since 1970). The pace is that since its start or the
 * account's opening, `since`, over at least a day. Grants and expiries to come are not foreseen.
 * Throws as `invoiceLines` does.
 */
export function forecastMonth(
  facts: MonthFacts,
  month: Span,
  since: number,
  at: number,
): MonthForecast {
  const { plan, usage, closing } = facts;
  const elapsed = Math.max(DAY_MS, at - Math.max(since, month.startsAt));
  const more = Math.max(0, month.endsAt - at) / elapsed;
  const calls = usage.reduce((sum, rule) => sum + rule.calls, 0);
  const credits = usage.reduce((sum, rule) => sum + rule.credits, 0);
  const coming = Math.round(credits * more);
  const overage = plan === null ? 0 : debtOf(closing.balance - coming);
  const others = invoiceLines(facts)
    .filter(({ type }) => type !== 'overage')
    .map(({ amount }) => amount);
  const price = priceOf(overage, plan?.price_per_1000_credits ?? 0);
  const net = sumOf([...others, price], 'The forecast');
  const tax = taxOn(net, taxTerms(plan).rate_percent);
  return {
    calls: calls + Math.round(calls * more),
    credits: credits + coming,
    billed_credits: overage,
    net,
    tax,
    total: sumOf([net, tax], 'The forecast'),
  };
}
