import type pg from 'pg';
import type { Exchange } from '#invoice-rules/exchange-rates.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { moneyText } from '#invoice-rules/money.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { EXCHANGE_RATE_SET } from '../events/exchange-rate-events.js';
import { readBilling } from '../invoices/account-billing.js';

/** The rate that an invoice states, as the only one that there is. */
export function printedExchange({ tax_accounting: of }: Invoice): Exchange | undefined {
  if (of === undefined) return undefined;
  const { currency, rate, rate_date: date, rate_source: source } = of;
  return { currency, rates: [{ date, rate, source }] };
}

/** Whether somebody ever set the rate that a document states. It may be corrected since. */
export async function hasRate(
  db: pg.Pool | pg.ClientBase,
  { currency, tax_accounting: of }: Pick<Invoice, 'currency' | 'tax_accounting'>,
): Promise<boolean> {
  if (of === undefined) return true;
  const { rate, rate_date, rate_source } = of;
  const { rowCount } = await db.query({
    name: 'verify-printed-rate',
    text: `select from event
            where lane = ${SYSTEM_LANE} and type = '${EXCHANGE_RATE_SET}'
              and data ->> 'currency' = $1 and data ->> 'tax_currency' = $2
              and data ->> 'date' = $3 and data ->> 'rate' = $4 and data ->> 'source' = $5
            limit 1`,
    values: [currency, of.currency, rate_date, rate, rate_source],
  });
  return rowCount === 1;
}

/** Facts that an invoice states and the log does not hold: its rate, what was paid before. */
export async function printedDifferences(pool: pg.Pool, invoice: Invoice): Promise<string[]> {
  const { currency, tax_accounting: of } = invoice;
  const differences = await prepaidDifferences(pool, invoice);
  if (of === undefined || (await hasRate(pool, invoice))) return differences;
  const rate = `${of.rate} of ${currency} in ${of.currency} on ${of.rate_date}`;
  return [...differences, `The log sets no rate ${rate}.`];
}

/** A sentence if the credit balance paid something else than is stated; older ones state none. */
async function prepaidDifferences(pool: pg.Pool, invoice: Invoice): Promise<string[]> {
  const { id, account_id: accountId, prepaid, currency } = invoice;
  if (prepaid === undefined) return [];
  const { events } = await readBilling(pool, accountId);
  const paid = events.flatMap(({ type, data }) =>
    type === 'CreditBalanceApplied' && data.invoice_id === id ? [data.amount] : [],
  );
  if (paid.length === 1 && paid[0] === prepaid) return [];
  const stated = moneyText(prepaid, currency);
  const found = paid.map((amount) => moneyText(amount, currency)).join(', ');
  return [`It says that ${stated} was paid before, the events say ${found || 'nothing'}.`];
}
