import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCredits } from '../../format/credits.js';
import { dayOf, firstOfNextMonth, monthName } from '../../format/days.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { number } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { useWorth } from '../credit-price.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import { creditsOf, savedBy, savedUrls, type SavedUrl } from './saved-urls.js';
import css from './usage.module.css';
import type { Savings } from '../../rest/answers.js';

const SHOWN_MAX = 10;

/** Credits of a month that a cache and Credits-Max would have saved, by URL. */
export function SavingsCard({ day }: { readonly day: string }) {
  const { opened_at: opened, now } = useAccount();
  const zone = useBillingZone();
  const month = day.slice(0, 7);
  const isKnown = month >= dayOf(opened, zone).slice(0, 7) && month <= dayOf(now, zone).slice(0, 7);
  const savings = useQuery({ ...one(portal.getSavings({ month })), enabled: isKnown });
  const worth = useWorth();
  if (!isKnown) return null;
  const total =
    savings.data && savedBy(savings.data, 'caching') + savedBy(savings.data, 'credits_max');
  return (
    <Panel
      flush
      title={`You could save in ${monthName(`${month}-01`)}`}
      aside={
        total !== undefined &&
        total > 0 &&
        [formatCredits(total), worth(total)].filter(Boolean).join(' ')
      }
    >
      <Loaded of={savings} height={320}>
        {(data) => <Saved of={data} />}
      </Loaded>
    </Panel>
  );
}

function Saved({ of }: { readonly of: Savings }) {
  const urls = savedUrls(of);
  if (urls.length === 0) return <Empty title="Nothing to save in this month" />;
  return (
    <>
      <p className={css.how}>
        Keep an answer until its week ends, as <code>Cache-Control</code> says: then no repeat is
        needed ({formatCredits(savedBy(of, 'caching'))}; with at most one call of a URL a day{' '}
        {formatCredits(savedBy(of, 'fewer_repeats'))}). Send <code>Credits-Max: 10</code>: then
        first calls for data that has not changed are refused, free.
        {!of.is_whole && ' The month has too many URLs: only a part of it was looked at.'}
      </p>
      <DataTable
        label="Savings"
        columns={columnsOf(of.month)}
        rows={urls}
        keyOf={({ path }) => path}
        initial="-Credits"
        limit={SHOWN_MAX}
      />
    </>
  );
}

/** A row opens the weeks of its URL in the month. */
function columnsOf(month: string): Columns<SavedUrl> {
  const range = { from: `${month}-01`, to: firstOfNextMonth(month) };
  return [
    {
      label: 'URL',
      kind: 'main',
      sort: ({ path }) => path,
      cell: ({ path }) => (
        <Link
          to="/usage"
          search={{ by: 'window,kind', only: `key:${path}`, ...range }}
          className="opens-row"
        >
          <ResourceName path={path} />
        </Link>
      ),
    },
    number('By a cache', ({ repeats }) => repeats),
    number('By Credits-Max', ({ unchanged }) => unchanged),
    number('Credits', creditsOf),
  ];
}
