import { Button } from '@mantine/core';
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
import { useBillingZone } from '../../ui/zones.js';
import { saveFile } from '../../ui/download-button.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { UsageControls } from './usage-controls.js';
import { usageCsv } from './usage-csv.js';
import { groupUsage, narrowDown, sortRows, type UsageRow } from './usage-groups.js';
import { byUrl, compared, isByUrl, spanBefore, type ComparedRow } from './usage-rows.js';
import { readBy, readOnly, writeOnly, type UsageSearch, readUsageSearch } from './usage-search.js';
import { UsageTable } from './usage-table.js';
import { UsageChart } from './usage-views.js';
import { useValueName } from './value-names.js';
import type { Dimension, Usage } from '../../rest/answers.js';
import { usageQuery } from '../../rest/queries.js';
import { Notice } from '../../ui/notice.js';

const route = getRouteApi('/usage');
const DEFAULT_DAYS = 28;

/** The search of the address; the last four weeks where it has no range. */
function useAsked() {
  const search = readUsageSearch(route.useSearch());
  const zone = useBillingZone();
  const today = dayOf(useAccount().now, zone);
  const by = useMemo(() => readBy(search.by), [search.by]);
  const only = useMemo(() => readOnly(search.only), [search.only]);
  const from = search.from ?? addDays(today, 1 - DEFAULT_DAYS);
  const to = search.to ?? addDays(today, 1);
  return { search, by, only, from, to };
}

/** The rows of the span and, where it is compared, those of the span before. */
function useRows({ search, by, only, from, to }: ReturnType<typeof useAsked>) {
  const asked = [...new Set([...by, ...only.map(({ dimension }) => dimension)])];
  const earlier = spanBefore(from, to);
  const isCompared = search.compare === 'before';
  const usage = useQuery(usageQuery(asked, from, to));
  const before = useQuery({
    ...usageQuery(asked, earlier.from, earlier.to),
    enabled: isCompared,
  });
  const rows = useMemo(() => {
    const group = (items: readonly Usage[]) => {
      const grouped = groupUsage(items, by, only);
      return isByUrl(by) ? byUrl(grouped, by) : grouped;
    };
    const then = isCompared ? before.data && group(before.data.items) : undefined;
    return usage.data && compared(sortRows(group(usage.data.items), by), then, by, { from, to });
  }, [usage.data, before.data, isCompared, by, only, from, to]);
  return { usage, rows };
}

/** Sums of calls by whatever one asks, as chart, table and CSV. */
export function UsagePage() {
  const asked = useAsked();
  const { search, by, only, from, to } = asked;
  const navigate = route.useNavigate();
  const { usage, rows: all } = useRows(asked);
  const rows = useFound(all, by, search.q ?? '');
  const show = (change: UsageSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== '');
    void navigate({ search: Object.fromEntries(next), replace: change.q !== undefined });
  };
  const open = (row: UsageRow) => {
    const values = by.map((dimension, index) => ({ dimension, value: row.values[index] ?? '' }));
    const next = narrowDown([...only, ...values], { from, to });
    if (next.to === 'calls') void navigate({ to: '/calls', search: next.filter });
    else show({ by: isByUrl(by) ? 'window,key' : 'key', only: writeOnly(next.only), q: '' });
  };
  return (
    <Page
      title="Usage"
      lead="Where credits went. A row narrows down to the calls behind it."
      actions={rows && <CsvButton by={by} rows={rows} />}
    >
      <UsageControls asked={asked} onChange={show} />
      {usage.data?.isWhole === false && <NotWhole />}
      <Panel title={<Total rows={rows ?? []} />}>
        <Loaded of={usage}>
          {() => rows && <UsageChart by={by} rows={rows} from={from} to={to} onOpen={open} />}
        </Loaded>
      </Panel>
      {rows && rows.length > 0 && (
        <Panel flush>
          <UsageTable
            by={by}
            rows={rows}
            sort={search.sort ?? ''}
            onSort={(sort) => show({ sort })}
            onOpen={open}
          />
        </Panel>
      )}
    </Page>
  );
}

/** The rows whose names hold a text. */
function useFound(
  rows: readonly ComparedRow[] | undefined,
  by: readonly Dimension[],
  text: string,
) {
  const nameOf = useValueName();
  if (rows === undefined || text === '') return rows;
  return rows.filter(({ values }) =>
    by.some((dimension, index) => {
      const value = values[index] ?? '';
      return holdsWords(`${nameOf(dimension, value)} ${value}`, text);
    }),
  );
}

function Total({ rows }: { readonly rows: readonly ComparedRow[] }) {
  const sum = (valueOf: (row: ComparedRow) => number) =>
    rows.reduce((total, row) => total + valueOf(row), 0);
  const credits = sum((row) => row.credits);
  const isCompared = rows.some(({ before }) => before !== null);
  const before = sum((row) => row.before ?? 0);
  return (
    <>
      {formatCredits(credits)} in{' '}
      {formatCount(
        sum((row) => row.calls),
        'call',
      )}
      {isCompared &&
        ` · these rows before: ${formatNumber(before)} (${formatChange(changePercent(credits, before))})`}
    </>
  );
}

interface CsvButtonProps {
  readonly by: Parameters<typeof usageCsv>[0];
  readonly rows: readonly UsageRow[];
}

function CsvButton({ by, rows }: CsvButtonProps) {
  const save = () =>
    saveFile(new Blob([usageCsv(by, rows)], { type: 'text/csv;charset=utf-8' }), 'usage.csv');
  return (
    <Button variant="default" leftSection={<Icon name="download" size={15} />} onClick={save}>
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
