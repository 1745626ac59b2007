import { Button, NumberInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { formatCount, formatNumber } from '../../format/credits.js';
import { addDays } from '../../format/days.js';
import { formFaults } from '../../rest/problem.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import form from '../../ui/form.module.css';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import { Differences } from './differences.js';
import type { ReconciliationSums } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { upload } from '../../rest/request.js';

const TOLERANCE_S = 5;
const JSON_LINES = /\.(?:jsonl|ndjson)$/i;
const reconciliationsQuery = all(portal.listReconciliations({ order: 'desc' }));
const route = getRouteApi('/reconciliation');

interface ReconciliationRequest {
  readonly file: File;
  readonly toleranceS: number;
  /** Days that are compared, both included; empty: from the first row, to the last. */
  readonly from: string;
  readonly to: string;
}

function reconcile({
  file,
  toleranceS,
  from,
  to,
}: ReconciliationRequest): Promise<ReconciliationSums> {
  const type = JSON_LINES.test(file.name) ? 'application/x-ndjson' : 'text/csv';
  const asked = portal.reconcileLog({
    tolerance_seconds: toleranceS,
    from: from === '' ? null : from,
    to: to === '' ? null : addDays(to, 1),
  });
  return upload<ReconciliationSums>(asked, file, type);
}

/** Logs of the customer beside the calls of the account. */
export function ReconciliationPage() {
  const { id } = route.useSearch();
  const logs = useQuery(reconciliationsQuery);
  return (
    <Page
      title="Reconciliation"
      lead="Send a log of your own, as CSV or one JSON object a line, with time and url, and where you have them call_id, request_id, credits and status. It is matched with the calls of the days that you name, or else with those from its first to its last row. Results of the newest ten logs are kept for 30 days, the logs are not."
    >
      <SendLog />
      <Loaded of={logs} rows={3}>
        {(items) => {
          const shown = items.find((one) => one.id === id);
          return (
            <>
              {shown !== undefined && <Found of={shown} />}
              {id !== undefined && shown === undefined && (
                <Notice tone="warn" title="This result is not kept any more." />
              )}
              <Panel flush title="Logs that were sent">
                {items.length > 0 ? <Sent items={items} /> : <Empty title="No log was sent yet" />}
              </Panel>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function SendLog() {
  const [toleranceS, setToleranceS] = useState(TOLERANCE_S);
  const [days, setDays] = useState({ from: '', to: '' });
  const input = useRef<HTMLInputElement>(null);
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const matched = useMutation({
    mutationFn: reconcile,
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: reconciliationsQuery.queryKey, exact: true });
      await navigate({ search: { id } });
    },
  });
  const take = (file: File | undefined): void => {
    if (file !== undefined) matched.mutate({ file, toleranceS, ...days });
  };
  return (
    <>
      <div className={form.toolbar}>
        <NumberInput
          label="Tolerance in seconds"
          w={180}
          min={0}
          max={3_600}
          allowDecimal={false}
          value={toleranceS}
          onChange={(value) => setToleranceS(typeof value === 'number' ? value : TOLERANCE_S)}
        />
        {DAYS.map(({ name, label }) => (
          <TextInput
            key={name}
            type="date"
            label={label}
            value={days[name]}
            onChange={({ currentTarget: { value } }) =>
              setDays((all) => ({ ...all, [name]: value }))
            }
          />
        ))}
        <Button loading={matched.isPending} onClick={() => input.current?.click()}>
          Choose a log
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.jsonl,.ndjson"
          aria-label="Log"
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </div>
      {matched.error !== null && <FormFaultsNotice faults={formFaults(matched.error, [])} />}
    </>
  );
}

const DAYS = [
  { name: 'from', label: 'From, unless the first row' },
  { name: 'to', label: 'To, unless the last row' },
] as const;

function Found({ of }: { readonly of: ReconciliationSums }) {
  const count = differencesOf(of);
  return (
    <>
      <Notice
        tone={count === 0 ? 'good' : 'warn'}
        title={`${formatNumber(of.matched)} of ${formatCount(of.rows, 'row')} agree with a call.`}
      >
        {formatNumber(of.missing_here)} missing here, {formatNumber(of.missing_there)} missing in
        the log, {formatNumber(of.different)} different; {formatCount(of.ignored_rows, 'row')} about
        no charged call.
      </Notice>
      {count > 0 && (
        <Panel
          flush
          title="Differences"
          {...(count > of.kept_differences && {
            aside: `the first ${formatNumber(of.kept_differences)} of ${formatNumber(count)}`,
          })}
        >
          <Differences reconciliationId={of.id} />
        </Panel>
      )}
    </>
  );
}

function differencesOf(of: ReconciliationSums): number {
  return of.missing_here + of.missing_there + of.different;
}

const COLUMNS: readonly SortedColumn<ReconciliationSums>[] = [
  { name: 'sent', label: 'Sent', value: (one) => one.created_at },
  { name: 'from', label: 'From', value: (one) => one.from },
  { name: 'to', label: 'To', value: (one) => one.to },
  { name: 'rows', label: 'Rows', isNumber: true, value: (one) => one.rows },
  { name: 'matched', label: 'Agree', isNumber: true, value: (one) => one.matched },
  { name: 'differences', label: 'Differences', isNumber: true, value: differencesOf },
];

function Sent({ items }: { readonly items: readonly ReconciliationSums[] }) {
  return (
    <SortedTable label="Logs that were sent" columns={COLUMNS} rows={items}>
      {(one) => (
        <tr key={one.id}>
          <td className={mainCell}>
            <Link to="/reconciliation" search={{ id: one.id }}>
              <Moment at={one.created_at} />
            </Link>
          </td>
          <td>{one.from === null ? '–' : <Moment at={one.from} />}</td>
          <td>{one.to === null ? '–' : <Moment at={one.to} />}</td>
          <td className={numberCell}>{formatNumber(one.rows)}</td>
          <td className={numberCell}>{formatNumber(one.matched)}</td>
          <td className={numberCell}>{formatNumber(differencesOf(one))}</td>
        </tr>
      )}
    </SortedTable>
  );
}
