import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { formatNumber } from '../../format/credits.js';
import { addDays, DAYS_A_WEEK } from '../../format/days.js';
import type { Usage, WindowKey } from '../../rest/answers.js';
import { dearestKeysQuery, latestCallsQuery, type Whole } from '../../rest/queries.js';
import { Bars } from '../../ui/charts/bars.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { KindPill } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { Heads, Table, mainCell, numberCell, softCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import type { DaySpend } from './window-spend.js';

interface SpendPanelProps {
  readonly query: UseQueryResult<Whole<Usage>>;
  readonly spend: readonly DaySpend[] | undefined;
}

/** This window by day, beside the one before. */
export function SpendPanel({ query, spend }: SpendPanelProps) {
  const navigate = useNavigate();
  const open = (row: number, series: string) => {
    const day = spend?.[row]?.day;
    if (day === undefined) return;
    const from = series === 'before' ? addDays(day, -DAYS_A_WEEK) : day;
    void navigate({ to: '/calls', search: { from, to: addDays(from, 1) } });
  };
  return (
    <Panel title="Spend by day" aside="this window and the one before">
      <Loaded of={query} rows={7}>
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
              { name: 'before', label: 'window before', color: 'var(--muted-bar)' },
              { name: 'credits', label: 'this window', color: 'var(--base)', stackId: 'now' },
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
    </Panel>
  );
}

function describeSpend(spend: readonly DaySpend[]): string {
  const days = spend.filter(({ isAhead }) => !isAhead);
  return `Credits by day: ${days
    .map(({ name, credits, before }) => `${name} ${credits}, a week before ${before}`)
    .join('; ')}`;
}

const DEAREST = 6;

export function DearestUrls({ from }: { readonly from: string }) {
  const { window } = useAccount();
  const keys = useQuery(dearestKeysQuery(window, DEAREST));
  return (
    <Panel
      flush
      title="Most expensive URLs of this window"
      aside={
        <Link to="/usage" search={{ from, by: 'key' }}>
          All
        </Link>
      }
    >
      <Loaded of={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing was called in this window">
              <Link to="/explorer">Look what there is</Link>
            </Empty>
          ) : (
            <SortedTable label="Most expensive URLs" columns={DEAREST_COLUMNS} rows={items}>
              {({ key, calls, credits_used: credits }) => (
                <tr key={key}>
                  <td className={mainCell}>
                    <Link to="/calls" search={{ resource_key: key }} className="plain">
                      <ResourceName path={key} />
                    </Link>
                  </td>
                  <td className={numberCell}>{formatNumber(calls)}</td>
                  <td className={numberCell}>{formatNumber(credits)}</td>
                </tr>
              )}
            </SortedTable>
          )
        }
      </Loaded>
    </Panel>
  );
}

const DEAREST_COLUMNS: readonly SortedColumn<WindowKey>[] = [
  { name: 'url', label: 'URL', value: ({ key }) => key },
  { name: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
  { name: 'credits', label: 'Credits', isNumber: true, value: (one) => one.credits_used },
];

const LATEST = 6;

export function LatestCalls() {
  const calls = useQuery(latestCallsQuery(LATEST));
  return (
    <Panel flush title="Latest calls" aside={<Link to="/calls">All</Link>}>
      <Loaded of={calls}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No calls yet">They appear here within a second.</Empty>
          ) : (
            <Table label="Latest calls" head={LATEST_COLUMNS}>
              {items.map((call) => (
                <tr key={call.call_id}>
                  <td className={softCell}>
                    <Moment at={call.at} />
                  </td>
                  <td className={mainCell}>
                    <Link to="/calls" search={{ call: call.call_id }} className="plain">
                      <ResourceName path={call.key} />
                    </Link>
                  </td>
                  <td>
                    <KindPill kind={call.kind} />
                  </td>
                  <td className={numberCell}>{formatNumber(call.credits_used)}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Panel>
  );
}

const LATEST_COLUMNS = <Heads of={['Time', 'What was asked for', 'Kind', '#Credits']} />;
