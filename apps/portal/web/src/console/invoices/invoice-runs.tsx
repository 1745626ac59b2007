import { Button, Progress, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatCount } from '../../format/credits.js';
import { formFaults } from '../../rest/problem.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { useToday } from '../console-session.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import css from '../console.module.css';
import { monthBefore } from './month-before.js';
import { admin } from '../admin.js';
import { invoiceRunQuery } from '../queries.js';
import type { InvoiceRun } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { main, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const REFRESH_MS = 1_000;

/** Refreshes the lists below while a run issues invoices. */
function useInvoicesAsTheyAppear(isRunning: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) return;
    const read = () => void client.invalidateQueries({ queryKey: ['invoices'] });
    const timer = setInterval(read, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isRunning, client]);
}

/** Does at once what is due of a month, and says what it could not do. */
export function InvoiceRuns() {
  const today = useToday();
  const [month, setMonth] = useState(() => monthBefore(today));
  const change = useChange();
  const refusal = useChangeRefusal();
  const run = useMutation({
    mutationFn: () => change(admin.runInvoices(), { month }),
  });
  const isLong = run.data?.status === 'running';
  const later = useQuery({ ...invoiceRunQuery(run.data?.id ?? ''), enabled: isLong });
  const shown = isLong ? (later.data ?? run.data) : run.data;
  const isRunning = run.isPending || shown?.status === 'running';
  useInvoicesAsTheyAppear(isRunning);
  const faults = formFaults(run.error, ['month']);
  return (
    <Panel title="Run a month" aside="a second run issues nothing twice">
      <form
        className={css.stack}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <div className={css.filters}>
          <TextInput
            type="month"
            label="Month of supply"
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
            error={faults.fields.month}
          />
          <Button
            type="submit"
            loading={isRunning}
            disabled={refusal !== undefined}
            {...(refusal !== undefined && { title: refusal })}
          >
            Issue what is due
          </Button>
        </div>
        {isRunning && <RunProgress run={run.isPending ? undefined : shown} />}
        <FormFaultsNotice faults={faults} />
        {shown?.status === 'ended' && !run.isPending && <RunReport run={shown} />}
      </form>
    </Panel>
  );
}

/** Before the first answer nobody knows how far it is. */
function RunProgress({ run }: { readonly run: InvoiceRun | undefined }) {
  const { accounts = 0, done = 0, failed = 0 } = run ?? {};
  const percent = accounts === 0 ? 100 : (100 * done) / accounts;
  return (
    <>
      <Progress value={percent} animated aria-label="The run is under way" />
      {run !== undefined && (
        <Notice
          tone={failed === 0 || failed === null ? 'good' : 'bad'}
          title={`${done} of ${formatCount(accounts, 'account')} done`}
        >
          {formatCount(run.documents, 'invoice')} issued so far.
        </Notice>
      )}
      <Failures of={run?.failures ?? []} />
    </>
  );
}

function RunReport({ run }: { readonly run: InvoiceRun }) {
  const { issued, skipped, failed } = run;
  return (
    <>
      <Notice
        tone={(failed ?? 0) > 0 ? 'bad' : 'good'}
        title={`${formatCount(issued ?? 0, 'invoice')} issued, ${skipped} skipped, ${failed} failed`}
      >
        Skipped: had an invoice before, or nothing to bill.
      </Notice>
      <Failures of={run.failures ?? []} />
    </>
  );
}

const FAILURES: Columns<NonNullable<InvoiceRun['failures']>[number]> = [
  {
    label: 'Account',
    cell: ({ account_id: id }) => <Link to={`/accounts/${id}` as string}>{id.slice(0, 8)}</Link>,
  },
  text('Month', ({ month }) => month),
  main('What is wrong', ({ detail }) => detail),
];

function Failures({ of: failures }: { readonly of: NonNullable<InvoiceRun['failures']> }) {
  if (failures.length === 0) return null;
  return <DataTable label="Failures" columns={FAILURES} rows={failures} isFixed />;
}
