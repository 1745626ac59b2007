import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { addDays, DAYS_A_WEEK } from '../../format/days.js';
import { Bars, CHART_HEIGHT } from '../../ui/charts/bars.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { KindPill } from '../../ui/pill.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import type { DaySpend } from './window-spend.js';
import type { Call, Usage, WindowKey } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { dearestKeysQuery } from '../../rest/queries.js';
import type { Whole } from '../../rest/reads.js';
import { one } from '../../rest/reads.js';
import { moment, number } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

interface DaysChartProps {
  readonly query: UseQueryResult<Whole<Usage>>;
  readonly spend: readonly DaySpend[] | undefined;
}

/** This window by day, beside the one before. */
export function DaysChart({ query, spend }: DaysChartProps) {
  const navigate = useNavigate();
  const open = (row: number, series: string) => {
    const day = spend?.[row]?.day;
    if (day === undefined) return;
    const from = series === 'before' ? addDays(day, -DAYS_A_WEEK) : day;
    void navigate({ to: '/calls', search: { from, to: addDays(from, 1), order: 'credits' } });
  };
  return (
    <Loaded of={query} height={CHART_HEIGHT}>
      {() => (
        <Bars
          label={describeSpend(spend ?? [])}
          rows={(spend ?? []).map(({ name, credits, before, expected }) => ({
            name,
            credits,
            before,
            expected,
          }))}
          dataKey="name"
          series={[
            { name: 'before', label: 'week before', color: 'var(--muted-bar)' },
            { name: 'credits', label: 'this week', color: 'var(--base)', stackId: 'now' },
            {
              name: 'expected',
              label: 'expected',
              color: 'var(--base)',
              stackId: 'now',
              isAhead: true,
            },
          ]}
          onBar={open}
        />
      )}
    </Loaded>
  );
}

function describeSpend(spend: readonly DaySpend[]): string {
  const days = spend.filter(({ isAhead }) => !isAhead);
  return `Credits by day: ${days
    .map(({ name, credits, before }) => `${name} ${credits}, a week before ${before}`)
    .join('; ')}`;
}

const DEAREST = 5;

export function DearestUrls({ from }: { readonly from: string }) {
  const { window } = useAccount();
  const keys = useQuery(dearestKeysQuery(window, DEAREST));
  return (
    <Panel
      flush
      title="Most expensive URLs of this week"
      aside={
        <Link to="/usage" search={{ from, by: 'key' }}>
          All
        </Link>
      }
    >
      <Loaded of={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No calls this week yet">
              <Link to="/explorer">Look at the data</Link>
            </Empty>
          ) : (
            <DataTable
              label="Most expensive URLs"
              columns={DEAREST_COLUMNS}
              rows={items}
              keyOf={({ key }) => key}
              isFixed
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const DEAREST_COLUMNS: Columns<WindowKey> = [
  {
    label: 'URL',
    kind: 'main',
    sort: ({ key }) => key,
    cell: ({ key }) => (
      <Link to="/calls" search={{ resource_key: key }} className="opens-row">
        <ResourceName path={key} />
      </Link>
    ),
  },
  number('Calls', ({ calls }) => calls),
  number('Credits', (one) => one.credits_used),
];

const LATEST = 5;

export function LatestCalls() {
  const calls = useQuery(one(portal.listCalls({ order: 'desc', limit: LATEST })));
  return (
    <Panel flush title="Latest calls" aside={<Link to="/calls">All</Link>}>
      <Loaded of={calls}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No calls yet">They appear here within a second.</Empty>
          ) : (
            <DataTable
              label="Latest calls"
              columns={LATEST_COLUMNS}
              rows={items}
              keyOf={(call) => call.call_id}
              isFixed
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const LATEST_COLUMNS: Columns<Call> = [
  { ...moment('Time', ({ at }) => at), kind: 'soft' },
  {
    label: 'What was asked for',
    kind: 'main',
    cell: ({ key, call_id: call }) => (
      <Link to="/calls" search={{ call }} className="opens-row">
        <ResourceName path={key} />
      </Link>
    ),
  },
  { label: 'Kind', cell: ({ kind }) => <KindPill kind={kind} /> },
  number('Credits', (call) => call.credits_used),
];
