import type { Field } from '../../form/fields.js';
import { FormButton } from '../../form/form-button.js';
import { admin } from '../admin.js';
import type { ExchangeRate } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';
import { main, moment, number, text } from '../../ui/columns.js';

const RATE: readonly Field[] = [
  { name: 'currency', label: 'Currency of invoices', placeholder: 'USD' },
  { name: 'date', label: 'Day', kind: 'date', beside: true },
  { name: 'rate', label: 'Value of one unit', placeholder: '0.8652' },
  { name: 'source', label: 'Source', placeholder: 'ECB', beside: true },
];

const COLUMNS: Columns<ExchangeRate> = [
  text('Currency', ({ currency }) => currency),
  text('Day', ({ date }) => date),
  {
    ...number('One unit is', ({ rate }) => Number(rate)),
    cell: ({ rate, tax_currency: owed }) => `${rate} ${owed}`,
  },
  main('Source', ({ source }) => source),
  moment('Set', (rate) => rate.set_at),
];

/** Exchange rates into the currency in which the seller owes tax. */
export function ExchangeRatesPanel({ taxCurrency }: { readonly taxCurrency: string }) {
  const change = useChange();
  const set = ({ currency, date, ...body }: Record<string, unknown>) =>
    change(admin.replaceExchangeRate({ currency: String(currency), date: String(date) }), body);
  return (
    <ListPanel
      title={`Exchange rates into ${taxCurrency}`}
      label="Exchange rates"
      aside={
        <FormButton
          label="Set a rate"
          title={`Value of a currency in ${taxCurrency}`}
          size="compact-sm"
          fields={RATE}
          submit="Set the rate"
          onSubmit={set}
        />
      }
      of={admin.listExchangeRates()}
      columns={COLUMNS}
      keyOf={({ currency, tax_currency: owed, date }) => `${currency} ${owed} ${date}`}
      empty={[
        'No exchange rates',
        'Taxed invoices in other currencies are held until there is one.',
      ]}
    />
  );
}
