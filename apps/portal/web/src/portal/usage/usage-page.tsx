import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatCount, formatCredits } from '../../format/credits.js';
import { addDays, dayOf } from '../../format/days.js';
import { usageQuery } from '../../rest/queries.js';
import { useBillingZone } from '../../ui/zones.js';
import { saveFile } from '../../ui/download-button.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { NotWhole } from './not-whole.js';
import { UsageControls } from './usage-controls.js';
import { usageCsv } from './usage-csv.js';
import { groupUsage, narrowDown, sortRows, type UsageRow } from './usage-groups.js';
import { readBy, readOnly, writeOnly, type UsageSearch } from './usage-search.js';
import { UsageChart, UsageTable } from './usage-views.js';

const route = getRouteApi('/usage');
const DEFAULT_DAYS = 28;

/** The search of the address; the last four weeks where it has no range. */
function useAsked() {
  const search = route.useSearch();
  const zone = useBillingZone();
  const today = dayOf(useAccount().now, zone);
  const by = useMemo(() => readBy(search.by), [search.by]);
  const only = useMemo(() => readOnly(search.only), [search.only]);
  const from = search.from ?? addDays(today, 1 - DEFAULT_DAYS);
  const to = search.to ?? addDays(today, 1);
  return { search, by, only, from, to };
}

/** Sums of calls by whatever one asks, as chart, table and CSV. */
export function UsagePage() {
  const { search, by, only, from, to } = useAsked();
  const navigate = route.useNavigate();
  const asked = [...new Set([...by, ...only.map(({ dimension }) => dimension)])];
  const usage = useQuery(usageQuery(asked, from, to));
  const rows = useMemo(
    () => usage.data && sortRows(groupUsage(usage.data.items, by, only), by),
    [usage.data, by, only],
  );
  const show = (change: UsageSearch) => void navigate({ search: { ...search, ...change } });
  const open = (row: UsageRow) => {
    const values = by.map((dimension, index) => ({ dimension, value: row.values[index] ?? '' }));
    const next = narrowDown([...only, ...values], { from, to });
    if (next.to === 'calls') void navigate({ to: '/calls', search: next.filter });
    else show({ by: 'key', only: writeOnly(next.only) });
  };
  return (
    <Page
      title="Usage"
      lead="Where credits went. A row narrows down to the calls behind it."
      actions={rows && <CsvButton by={by} rows={rows} />}
    >
      <UsageControls from={from} to={to} by={by} only={only} onChange={show} />
      {usage.data?.isWhole === false && <NotWhole />}
      <Panel title={<Total rows={rows ?? []} />}>
        <Loaded of={usage}>
          {() => rows && <UsageChart by={by} rows={rows} from={from} to={to} onOpen={open} />}
        </Loaded>
      </Panel>
      {rows && rows.length > 0 && (
        <Panel flush>
          <UsageTable by={by} rows={rows} onOpen={open} />
        </Panel>
      )}
    </Page>
  );
}

function Total({ rows }: { readonly rows: readonly UsageRow[] }) {
  const credits = rows.reduce((sum, row) => sum + row.credits, 0);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return (
    <>
      {formatCredits(credits)} in {formatCount(calls, 'call')}
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
