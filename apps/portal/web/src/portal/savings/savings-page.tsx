import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatCredits } from '../../format/credits.js';
import { dayOf, monthsBetween } from '../../format/days.js';
import { moneyOf } from '../../format/money.js';
import form from '../../ui/form.module.css';
import { Loaded } from '../../ui/loaded.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import css from './savings.module.css';
import type { Savings } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { number } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const route = getRouteApi('/savings');

type Measure = Savings['measures'][0];

/** Titles of the measures, and how each is done. */
const MEASURES: Readonly<Record<Measure['measure'], readonly [title: string, how: ReactNode]>> = {
  caching: [
    'Caching',
    'An answer stays the same until its week ends: keep it as long as Cache-Control says, and no repeat is needed.',
  ],
  conditional_requests: [
    'Conditional requests',
    'If-None-Match saves the transfer of what you have. A 304 costs a repeat all the same, so it saves no credits. These are the calls of the cache above.',
  ],
  credits_max: [
    'Credits-Max',
    'First calls for data that had not changed since the week before. With Credits-Max: 10 they are refused, free, and last week’s answer is still right.',
  ],
  fewer_repeats: [
    'Fewer repeats',
    'Repeats beyond one call of a URL a day. They are part of what a cache saves.',
  ],
};

/** Credits that other ways of calling would have saved in a month, with the calls. */
export function SavingsPage() {
  const { opened_at: opened, now } = useAccount();
  const zone = useBillingZone();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const months = monthsBetween(dayOf(opened, zone), dayOf(now, zone)).toReversed();
  const month = months.find((one) => one === search.month) ?? months[1] ?? months[0] ?? '';
  const savings = useQuery(one(portal.getSavings({ month })));
  return (
    <Page
      title="Savings"
      lead="What other ways of calling would have saved. The measures overlap: do not add them up."
      actions={
        <Select
          aria-label="Month"
          w={130}
          data={months}
          value={month}
          allowDeselect={false}
          onChange={(next) => next && void navigate({ search: { month: next }, replace: true })}
        />
      }
    >
      <Loaded of={savings} rows={8}>
        {(data) => (
          <div className={form.form}>
            {!data.is_whole && (
              <Notice
                tone="warn"
                title="Not all of the month was looked at: it has too many URLs."
              />
            )}
            <p>
              {data.month}: {formatCredits(data.credits_used)} in {formatCount(data.calls, 'call')}.
            </p>
            {data.measures.map((one) => (
              <MeasurePanel key={one.measure} measure={one} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function MeasurePanel({
  measure: { measure, calls, credits, keys },
}: {
  readonly measure: Measure;
}) {
  const price = useQuery(one(portal.getForecast())).data?.credit_price ?? null;
  const money = credits > 0 ? moneyOf(credits, price) : undefined;
  const [title, how] = MEASURES[measure];
  return (
    <Panel
      title={title}
      aside={`${formatCredits(credits)}${money === undefined ? '' : ` (≈ ${money})`} · ${formatCount(calls, 'call')}`}
    >
      <p className={css.how}>{how}</p>
      {measure !== 'conditional_requests' && <Keys measure={measure} of={keys} />}
    </Panel>
  );
}

const SHOWN_MAX = 10;

function columnsOf(kind: 'base' | 'repeat'): Columns<Measure['keys'][number]> {
  return [
    {
      label: 'URL',
      kind: 'main',
      sort: ({ key }) => key,
      cell: ({ key }) => (
        <Link to="/calls" search={{ resource_key: key, kind }} className="plain">
          <ResourceName path={key} withWindow />
        </Link>
      ),
    },
    number('Calls', ({ calls }) => calls),
    number('Credits', ({ credits }) => credits),
  ];
}

interface KeysProps {
  readonly measure: Measure['measure'];
  readonly of: Measure['keys'];
}

/** The most expensive URLs; each opens its calls. */
function Keys({ measure, of }: KeysProps) {
  if (of.length === 0) return <Empty title="Nothing to save here" />;
  const kind = measure === 'credits_max' ? 'base' : 'repeat';
  return (
    <DataTable
      label={MEASURES[measure][0]}
      columns={columnsOf(kind)}
      rows={of}
      keyOf={({ key }) => key}
      initial="-Credits"
      limit={SHOWN_MAX}
    />
  );
}
