import { useQuery } from '@tanstack/react-query';
import { formatCredits } from '../../format/credits.js';
import type { Prices } from '../../rest/answers.js';
import { pricesQuery } from '../../rest/queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Page, Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell, softCell } from '../../ui/table.js';
import { BillingPanel, PayPanel, PlanPanel } from './terms-panels.js';
import { PriceNotice } from './price-notice.js';
import { creditsIn, priceRows, type PriceRow } from './price-rows.js';
import css from './prices.module.css';

/** Prices of calls now and next, and the terms on which they are paid. */
export function PricesPage() {
  const prices = useQuery(pricesQuery);
  return (
    <Page
      title="Prices"
      lead="A first call of a URL in a week costs the call and its data; each repeat costs the call alone."
    >
      <Loaded of={prices}>
        {(data) => (
          <>
            <PriceNotice prices={data} />
            <RateCardPanel prices={data} />
          </>
        )}
      </Loaded>
      <div className={css.columns}>
        <PlanPanel />
        <BillingPanel />
        <PayPanel />
      </div>
    </Page>
  );
}

const COLUMNS: readonly SortedColumn<PriceRow>[] = [
  { name: 'what', label: 'What', value: ({ name }) => name },
  { name: 'match', label: 'Matches', value: ({ match }) => match },
  { name: 'credits', label: 'Credits', isNumber: true, value: ({ now }) => creditsIn(now) },
];
const NEXT: SortedColumn<PriceRow> = {
  name: 'next',
  label: 'Next',
  isNumber: true,
  value: ({ next }) => creditsIn(next),
};

function RateCardPanel({ prices }: { readonly prices: Prices }) {
  const { in_force: now, next, own } = prices;
  const columns = next === null ? COLUMNS : [...COLUMNS, NEXT];
  return (
    <Panel
      flush
      title={`Rate card ${now.version}${own ? ', your own' : ''}`}
      aside={
        next === null ? (
          'No other prices are announced'
        ) : (
          <>
            rate card {next.version} from <Moment at={next.effective_from ?? ''} dateOnly />
          </>
        )
      }
    >
      <SortedTable label="Prices" columns={columns} rows={priceRows(prices)}>
        {(row) => (
          <tr key={row.name}>
            <td>{row.name}</td>
            <td className={`${mainCell} ${softCell}`}>{row.match}</td>
            <td className={numberCell}>{row.now || '–'}</td>
            {next !== null && (
              <td className={numberCell}>
                {row.isChanged ? <strong>{row.next || 'gone'}</strong> : 'as now'}
              </td>
            )}
          </tr>
        )}
      </SortedTable>
      <p className={css.note}>
        The first line that matches counts. A week of your URLs costs{' '}
        {formatCredits(now.weekly_credits)} for first calls.
      </p>
    </Panel>
  );
}
