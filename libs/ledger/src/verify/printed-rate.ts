import type pg from 'pg';
import type { Exchange } from '#billing/exchange-rates.js';
import type { Invoice } from '#billing/invoice.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { EXCHANGE_RATE_SET } from '../events/exchange-rate-events.js';

/** The rate that an invoice states, as the only one that there is. */
export function printedExchange({ tax_accounting: of }: Invoice): Exchange | undefined {
  if (of === undefined) return undefined;
  const { currency, rate, rate_date: date, rate_source: source } = of;
  return { currency, rates: [{ date, rate, source }] };
}

/** A sentence if nobody ever set the rate that an invoice states. It may be corrected since. */
export async function rateDifferences(
  pool: pg.Pool,
  { currency, tax_accounting: of }: Invoice,
): Promise<string[]> {
  if (of === undefined) return [];
  const { rate, rate_date, rate_source } = of;
  const { rowCount } = await pool.query({
    name: 'verify-printed-rate',
    text: `select from event
            where lane = ${SYSTEM_LANE} and type = '${EXCHANGE_RATE_SET}'
              and data ->> 'currency' = $1 and data ->> 'tax_currency' = $2
              and data ->> 'date' = $3 and data ->> 'rate' = $4 and data ->> 'source' = $5
            limit 1`,
    values: [currency, of.currency, rate_date, rate, rate_source],
  });
  return rowCount === 1
    ? []
    : [`The log sets no rate ${rate} of ${currency} in ${of.currency} on ${rate_date}.`];
}
