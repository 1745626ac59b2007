import { useQuery } from '@tanstack/react-query';
import { formatChange, formatCredits, changePercent } from '../../format/credits.js';
import { formatDate } from '../../format/moments.js';
import { formatMoney, moneyOf, type CreditPrice } from '../../format/money.js';
import { Loaded, Loading } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { PlanPanel } from './plan-panel.js';
import { PriceNotice } from './price-notice.js';
import { creditsIn, priceRows, type PriceRow } from './price-rows.js';
import { TryUrl } from './try-url.js';
import css from './prices.module.css';
import type { Prices } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { text } from '../../ui/columns.js';
import { DataTable, type Column, type Columns } from '../../ui/data-table.js';

/** The price list: first calls and repeats, in credits and money, now and next. */
export function PricesPage() {
  const prices = useQuery(one(portal.getPrices()));
  return (
    <Page
      title="Prices"
      lead="The first call of a URL in a week (Tuesday to Monday) pays its price; each repeat in that week pays a small one."
    >
      <Loaded of={prices}>
        {(data) => (
          <>
            <PriceNotice prices={data} />
            <PriceList prices={data} />
          </>
        )}
      </Loaded>
      <TryUrl />
      <PlanPanel />
    </Page>
  );
}

const COLUMNS: Columns<PriceRow> = [
  text('What', ({ name }) => name),
  { ...text('Matches', ({ match }) => match), kind: 'note' },
  {
    label: 'First call, credits',
    kind: 'number',
    sort: (row) => creditsIn(row.now),
    cell: ({ now }) => now || '–',
  },
];

/** Only a price that is one number of credits is one amount of money. */
function isPlain(words: string): boolean {
  return /^[\d,]+$/.test(words);
}

function moneyColumn(price: CreditPrice): Column<PriceRow> {
  return {
    label: 'Before tax',
    kind: 'number',
    sort: (row) => creditsIn(row.now),
    cell: ({ now }) => (isPlain(now) ? moneyOf(creditsIn(now) ?? 0, price) : '–'),
  };
}

function nextColumn(from: string): Column<PriceRow> {
  return {
    label: from,
    kind: 'number',
    sort: (row) => creditsIn(row.next),
    cell: ({ isChanged, now, next }) => {
      if (!isChanged) return 'as now';
      const [before, after] = [creditsIn(now), creditsIn(next)];
      const change =
        isPlain(now) && isPlain(next) && before && after ? changePercent(after, before) : null;
      return (
        <>
          <strong>{next || 'gone'}</strong>
          {change !== null && ` (${formatChange(change)})`}
        </>
      );
    },
  };
}

function PriceList({ prices }: { readonly prices: Prices }) {
  const { in_force: now, next, own } = prices;
  const forecast = useQuery(one(portal.getForecast()));
  const price = forecast.data?.credit_price ?? null;
  const zone = useBillingZone();
  const begins = next?.effective_from ?? null;
  const columns = [
    ...COLUMNS,
    ...(price === null ? [] : [moneyColumn(price)]),
    ...(next === null
      ? []
      : [nextColumn(begins === null ? 'Next' : `From ${formatDate(begins, zone)}`)]),
  ];
  if (forecast.isPending) return <Loading rows={12} />;
  return (
    <Panel
      flush
      title={own ? 'Your own price list' : 'Price list'}
      aside={
        <>
          {price !== null &&
            `1,000 credits cost ${formatMoney(price.per_1000_credits, price.currency)} before tax · `}
          rate card {now.version}
          {next === null && ', no other prices are announced'}
        </>
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
