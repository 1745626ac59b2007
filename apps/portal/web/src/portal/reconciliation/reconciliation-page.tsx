import { Button, NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { formatCount, formatNumber } from '../../format/credits.js';
import { formFaults } from '../../rest/problem.js';
import { PORTAL } from '../../rest/queries.js';
import type { LogDifference, Reconciliation } from '../../rest/answers.js';
import { query, upload } from '../../rest/request.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import form from '../../ui/form.module.css';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';

const TOLERANCE_S = 5;
const JSON_LINES = /\.(?:jsonl|ndjson)$/i;

interface Asked {
  readonly file: File;
  readonly toleranceS: number;
}

function reconcile({ file, toleranceS }: Asked): Promise<Reconciliation> {
  const type = JSON_LINES.test(file.name) ? 'application/x-ndjson' : 'text/csv';
  const path = `${PORTAL}/reconciliations${query({ tolerance_seconds: toleranceS })}`;
  return upload<Reconciliation>(path, file, type);
}

/** A log of the customer beside the calls of the account. */
export function ReconciliationPage() {
  const [toleranceS, setToleranceS] = useState(TOLERANCE_S);
  const input = useRef<HTMLInputElement>(null);
  const matched = useMutation({ mutationFn: reconcile });
  const take = (file: File | undefined): void => {
    if (file !== undefined) matched.mutate({ file, toleranceS });
  };
  return (
    <Page
      title="Reconciliation"
      lead="Send a log of your own, as CSV or one JSON object a line, with time and url, and where you have them call_id, request_id, credits and status. It is matched with the calls, and not kept."
    >
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
      {matched.data && <Found of={matched.data} />}
    </Page>
  );
}

function Found({ of }: { readonly of: Reconciliation }) {
  const count = of.missing_here + of.missing_there + of.different;
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
          {...(count > of.differences.length && {
            aside: `the first ${formatNumber(of.differences.length)} of ${formatNumber(count)}`,
          })}
        >
          <DifferenceTable items={of.differences} />
        </Panel>
      )}
    </>
  );
}

const NAMES: Readonly<Record<LogDifference['kind'], readonly [string, Tone]>> = {
  missing_here: ['missing here', 'warn'],
  missing_there: ['missing in the log', 'bad'],
  different: ['different', 'bad'],
};

function DifferenceTable({ items }: { readonly items: readonly LogDifference[] }) {
  const heads = ['Difference', '#Line', 'Time', 'URL', '#Logged', '#Charged', 'Call'];
  return (
    <Table label="Differences" head={<Heads of={heads} />}>
      {items.map((one) => (
        <tr key={`${one.line} ${one.call_id}`}>
          <td>
            <Pill tone={NAMES[one.kind][1]}>{NAMES[one.kind][0]}</Pill> {one.in.join(', ')}
          </td>
          <td className={numberCell}>{one.line ?? '–'}</td>
          <td>
            <Moment at={one.at ?? one.logged_at ?? ''} />
          </td>
          <td className={mainCell}>
            <code>{one.key ?? one.logged_url}</code>
          </td>
          <td className={numberCell}>{creditsOf(one.logged_credits)}</td>
          <td className={numberCell}>{creditsOf(one.credits)}</td>
          <td>
            {one.call_id !== null && (
              <Link to="/calls" search={{ call: one.call_id }}>
                Explain or dispute
              </Link>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function creditsOf(credits: number | null): string {
  return credits === null ? '–' : formatNumber(credits);
}
