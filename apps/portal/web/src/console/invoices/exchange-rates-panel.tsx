import { useInfiniteQuery } from '@tanstack/react-query';
import type { Field } from '../../form/fields.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import { FormButton } from '../form/form-button.js';
import type { ExchangeRate } from '../rest/admin-answers.js';
import { exchangeRatesQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const RATE: readonly Field[] = [
  { name: 'currency', label: 'Currency of invoices', placeholder: 'USD' },
  { name: 'date', label: 'Day', kind: 'date', beside: true },
  { name: 'rate', label: 'Value of one unit', placeholder: '0.8652' },
  { name: 'source', label: 'Source', placeholder: 'ECB', beside: true },
];

const COLUMNS: readonly SortedColumn<ExchangeRate>[] = [
  { name: 'currency', label: 'Currency', value: ({ currency }) => currency },
  { name: 'day', label: 'Day', value: ({ date }) => date },
  { name: 'rate', label: 'One unit is', isNumber: true, value: ({ rate }) => Number(rate) },
  { name: 'source', label: 'Source', value: ({ source }) => source },
  { name: 'set', label: 'Set', value: (one) => one.set_at },
];

/** Exchange rates into the currency in which the seller owes tax. */
export function ExchangeRatesPanel({ taxCurrency }: { readonly taxCurrency: string }) {
  const rates = useInfiniteQuery(exchangeRatesQuery);
  const change = useAdminChange();
  const set = ({ currency, date, ...body }: Record<string, unknown>) =>
    change('PUT', `/exchange-rates/${String(currency)}/${String(date)}`, body);
  return (
    <Panel
      flush
      title={`Exchange rates into ${taxCurrency}`}
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
    >
      <Paged
        of={rates}
        empty={
          <Empty title="No exchange rates">
            Taxed invoices in other currencies are held until there is one.
          </Empty>
        }
      >
        {(items) => (
          <SortedTable label="Exchange rates" columns={COLUMNS} rows={items}>
            {({ currency, tax_currency: owed, date, rate, source, set_at: setAt }) => (
              <tr key={`${currency} ${owed} ${date}`}>
                <td>{currency}</td>
                <td>{date}</td>
                <td className={numberCell}>
                  {rate} {owed}
                </td>
                <td className={mainCell}>{source}</td>
                <td>
                  <Moment at={setAt} />
                </td>
              </tr>
            )}
          </SortedTable>
        )}
      </Paged>
    </Panel>
  );
}
