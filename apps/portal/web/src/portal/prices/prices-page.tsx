import { useQuery } from '@tanstack/react-query';
import { formatCredits } from '../../format/credits.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Page, Panel } from '../../ui/page.js';
import { BillingPanel, PayPanel, PlanPanel } from './terms-panels.js';
import { PriceNotice } from './price-notice.js';
import { creditsIn, priceRows, type PriceRow } from './price-rows.js';
import css from './prices.module.css';
import type { Prices } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { text } from '../../ui/columns.js';
import { DataTable, type Column, type Columns } from '../../ui/data-table.js';

/** Prices of calls now and next, and the terms on which they are paid. */
export function PricesPage() {
  const prices = useQuery(one(portal.getPrices()));
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

const COLUMNS: Columns<PriceRow> = [
  text('What', ({ name }) => name),
  { ...text('Matches', ({ match }) => match), kind: 'note' },
  {
    label: 'Credits',
    kind: 'number',
    sort: (row) => creditsIn(row.now),
    cell: ({ now }) => now || '–',
  },
];
const NEXT: Column<PriceRow> = {
  label: 'Next',
  kind: 'number',
  sort: (row) => creditsIn(row.next),
  cell: ({ isChanged, next }) => (isChanged ? <strong>{next || 'gone'}</strong> : 'as now'),
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
      <DataTable
        label="Prices"
        columns={columns}
        rows={priceRows(prices)}
        keyOf={({ name }) => name}
      />
      <p className={css.note}>
        The first line that matches counts. A week of your URLs costs{' '}
        {formatCredits(now.weekly_credits)} for first calls.
      </p>
    </Panel>
  );
}
