import { z } from 'zod';
import { RATE } from '#invoice-rules/exchange-rates.js';
import { textField } from '#web/body-fields.js';
import { PAGE_QUERY } from '#web/query.js';

const currency = z.string().regex(/^[A-Z]{3}$/, 'A currency like USD');
const rate = z
  .string()
  .regex(RATE, 'A decimal above 0, such as "0.9237", with at most ten digits behind the point')
  .meta({ description: 'Value of one unit of the currency, as an exact decimal.' });
const source = textField(200).meta({ description: 'Who published it.' });

/** The rate of a day. */
export const SetExchangeRate = z.strictObject({ rate, source }).meta({ id: 'SetExchangeRate' });
export type SetExchangeRate = z.output<typeof SetExchangeRate>;

/** A rate in force. */
export const ExchangeRate = z
  .strictObject({
    currency,
    tax_currency: currency.meta({ description: "The seller's, when the rate was set." }),
    date: z.iso.date(),
    rate: z.string(),
    source: z.string(),
    set_at: z.iso.datetime(),
    set_by: z.string().meta({ description: 'Who set it: the token, as in the audit.' }),
  })
  .meta({ id: 'ExchangeRate' });
export type ExchangeRate = z.output<typeof ExchangeRate>;

/** Which rates a list shows. */
export const EXCHANGE_RATES_QUERY = z.strictObject({
  ...PAGE_QUERY,
  currency: currency.optional().meta({ description: 'Only rates of this currency.' }),
});
export type ExchangeRatesQuery = z.output<typeof EXCHANGE_RATES_QUERY>;
