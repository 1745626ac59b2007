import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { holdsWords } from '#rating/folded-text.js';
import {
  changePercent,
  formatChange,
  formatCount,
  formatCredits,
  formatNumber,
} from '../../format/credits.js';
import { addDays, dayOf } from '../../format/days.js';
import { moneyOf } from '../../format/money.js';
import { useBillingZone } from '../../ui/zones.js';
import { CHART_HEIGHT } from '../../ui/charts/bars.js';
import { saveFile } from '../../ui/download-button.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { sorted } from '../../ui/sorted.js';
import { useCreditPrice } from '../credit-price.js';
import { useAccount } from '../session.js';
import { SavingsCard } from './savings-card.js';
import { usageColumns, type UsageColumn } from './usage-columns.js';
import { UsageControls } from './usage-controls.js';
import { usageCsv } from './usage-csv.js';
import { groupUsage, narrowDown, sortRows, type UsageRow } from './usage-groups.js';
import { WEEKS_4 } from './usage-presets.js';
import { byUrl, compared, isByUrl, spanBefore, type ComparedRow } from './usage-rows.js';
import { readBy, readOnly, writeOnly, type UsageSearch, readUsageSearch } from './usage-search.js';
import { comparedSum, UsageTable } from './usage-table.js';
import { isOverTime, UsageChart } from './usage-views.js';
import { useValueName } from './value-names.js';
import type { Usage } from '../../rest/answers.js';
import type { CreditPrice } from '../../format/money.js';
import { SORTED_MAX, usageQuery } from '../../rest/queries.js';
import { Empty, Notice } from '../../ui/notice.js';

const route = getRouteApi('/usage');
const NOTE_HEIGHT = 26;

/** The search of the address; the last four weeks where it has no range. */
function useAsked() {
  const search = readUsageSearch(route.useSearch());
  const zone = useBillingZone();
  const today = dayOf(useAccount().now, zone);
  const by = useMemo(() => readBy(search.by), [search.by]);
  const only = useMemo(() => readOnly(search.only), [search.only]);
  const from = search.from ?? addDays(today, 1 - WEEKS_4);
  const to = search.to ?? addDays(today, 1);
  return { search, by, only, from, to };
}

/** The rows of the range and, where they are compared, those of the period before. */
function useRows({ search, by, only, from, to }: ReturnType<typeof useAsked>) {
  const asked = [...new Set([...by, ...only.map(({ dimension }) => dimension)])];
  const earlier = spanBefore({ from, to });
  const isCompared = search.compare !== 'none';
  const usage = useQuery(usageQuery(asked, from, to));
  const before = useQuery({
    ...usageQuery(asked, earlier.from, earlier.to),
    enabled: isCompared,
  });
  const isReady = usage.data !== undefined && (!isCompared || !before.isPending);
  const rows = useMemo(() => {
    const group = (items: readonly Usage[]) => {
      const grouped = groupUsage(items, by, only);
      return isByUrl(by) ? byUrl(grouped, by) : grouped;
    };
    if (!isReady) return undefined;
    const then = isCompared ? before.data && group(before.data.items) : undefined;
    return compared(sortRows(group(usage.data.items), by), then, by, { from, to });
  }, [usage.data, before.data, isReady, isCompared, by, only, from, to]);
  return { usage, rows };
}

/** Sums of calls by whatever one asks, as chart, table and CSV. */
export function UsagePage() {
  const asked = useAsked();
  const { search, by, only, from, to } = asked;
  const navigate = route.useNavigate();
  const price = useCreditPrice();
  const { usage, rows: all } = useRows(asked);
  const columns = usageColumns({ by, price, isCompared: search.compare !== 'none' });
  const rows = useShown(all, columns, search);
  const show = (change: UsageSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== '');
    void navigate({ search: Object.fromEntries(next), replace: change.q !== undefined });
  };
  const range = { from, to };
  const total = <Total rows={rows ?? []} price={price} />;
  const compare = <Compare search={search} onChange={show} />;
  const open = (row: UsageRow) => {
    const values = by.map((dimension, index) => ({ dimension, value: row.values[index] ?? '' }));
    const next = narrowDown([...only, ...values], range);
    if (next.to === 'calls') {
      const order = row.calls <= SORTED_MAX ? { order: 'credits' as const } : {};
      void navigate({ to: '/calls', search: { ...next.filter, ...order } });
    } else show({ by: isByUrl(by) ? 'window,key' : 'key', only: writeOnly(next.only), q: '' });
  };
  return (
    <Page
      title="Usage"
      lead="Where credits went. A row opens the calls behind it."
      actions={<CsvButton of={rows && { columns, rows, price }} range={range} />}
    >
      <UsageControls asked={asked} onChange={show} />
      {usage.data?.isWhole === false && <NotWhole />}
      {(isOverTime(by) || !rows?.length) && (
        <Panel
          key={rows === undefined ? 'reading' : 'read'}
          title={rows === undefined ? '…' : total}
          aside={rows && compare}
        >
          {rows === undefined && (
            <Loaded of={usage} height={CHART_HEIGHT + NOTE_HEIGHT}>
              {() => null}
            </Loaded>
          )}
          {rows?.length === 0 && (
            <Empty title="No calls in this range">Choose a longer range, or fewer filters.</Empty>
          )}
          {rows && rows.length > 0 && (
            <UsageChart by={by} rows={rows} range={range} onOpen={open} onBefore={show} />
          )}
        </Panel>
      )}
      {rows && rows.length > 0 && (
        <Panel flush {...(!isOverTime(by) && { title: total, aside: compare })}>
          <UsageTable
            columns={columns}
            rows={rows}
            price={price}
            sort={search.sort ?? ''}
            onSort={(sort) => show({ sort })}
            onOpen={open}
          />
        </Panel>
      )}
      {/* Below what is still being read it would be pushed away. */}
      {(all !== undefined || usage.isError) && <SavingsCard day={addDays(to, -1)} />}
    </Page>
  );
}

interface CompareProps {
  readonly search: UsageSearch;
  readonly onChange: (change: UsageSearch) => void;
}

/** Whether the period before stands beside the rows. */
function Compare({ search, onChange }: CompareProps) {
  return (
    <Checkbox
      size="xs"
      label="Compare with the period before"
      checked={search.compare !== 'none'}
      onChange={(event) => onChange({ compare: event.currentTarget.checked ? '' : 'none' })}
    />
  );
}

/** The rows whose names hold a text, in the order of the address. */
function useShown(
  rows: readonly ComparedRow[] | undefined,
  columns: readonly UsageColumn[],
  { q: text = '', sort = '' }: UsageSearch,
) {
  const nameOf = useValueName();
  const found = rows?.filter(
    (row) =>
      text === '' ||
      columns.some(({ dimension, valueOf }) => {
        const value = String(valueOf(row) ?? '');
        return dimension !== undefined && holdsWords(`${nameOf(dimension, value)} ${value}`, text);
      }),
  );
  return (
    found &&
    sorted(found, sort, (row, name) => {
      const column = columns.find((one) => one.name === name);
      const value = column?.valueOf(row) ?? null;
      return column?.dimension === 'key' ? nameOf('key', String(value)) : value;
    })
  );
}

interface TotalProps {
  readonly rows: readonly ComparedRow[];
  readonly price: CreditPrice | null;
}

function Total({ rows, price }: TotalProps) {
  const { credits, calls, before } = comparedSum(rows);
  const money = moneyOf(credits, price);
  const change =
    before === null
      ? ''
      : ` · the period before ${formatNumber(before)} (${formatChange(changePercent(credits, before))})`;
  return (
    <>
      {formatCredits(credits)} in {formatCount(calls, 'call')}
      {money !== undefined && ` ≈ ${money} before tax`}
      {change}
    </>
  );
}

interface CsvButtonProps {
  /** Undefined while it is read. */
  readonly of: Omit<Parameters<typeof usageCsv>[0], 'nameOf'> | undefined;
  readonly range: { readonly from: string; readonly to: string };
}

/** The table as a file, which is called by its first and last day. */
function CsvButton({ of, range }: CsvButtonProps) {
  const nameOf = useValueName();
  const save = () => {
    if (of === undefined) return;
    const file = new Blob([usageCsv({ ...of, nameOf })], { type: 'text/csv;charset=utf-8' });
    saveFile(file, `usage-${range.from}-to-${addDays(range.to, -1)}.csv`);
  };
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={15} />}
      disabled={of === undefined}
      onClick={save}
    >
      CSV of this table
    </Button>
  );
}

/** Said where a list was too long to be read whole. */
function NotWhole() {
  return (
    <Notice tone="warn" title="Not all of it is shown">
      There are more than 20,000 sums: choose a shorter range, or group by less.
    </Notice>
  );
}
