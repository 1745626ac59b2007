import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatNumber } from '../../format/credits.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import css from '../console.module.css';
import { ActButton } from '../../form/act-button.js';
import { admin } from '../admin.js';
import { verificationQuery } from '../queries.js';
import type { Verification } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { main, number } from '../../ui/columns.js';

/** Proves that the log and all that is made from it belong together. */
export function VerificationPanel() {
  const verification = useQuery(verificationQuery);
  const isRunning = verification.data?.status === 'running';
  return (
    <Panel
      flush
      title="Verification"
      aside={
        <ActButton
          label={isRunning ? 'Under way …' : 'Verify now'}
          title="Verify the whole log?"
          confirm="Verify it"
          of={admin.startVerification()}
          disabled={isRunning}
        >
          It walks the whole log: hashes, sums, charges, and every table that is made from it. It
          goes on in the background, beside the calls, and only reads.
        </ActButton>
      }
    >
      <Loaded of={verification}>
        {(found) =>
          found === null ? (
            <Empty title="Not verified yet">Its report appears here.</Empty>
          ) : (
            <Report of={found} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const CHECKS: Columns<NonNullable<Verification['checks']>[number]> = [
  {
    label: 'Check',
    cell: ({ check, differences }) => (
      <Pill tone={differences === 0 ? 'good' : 'bad'}>{check}</Pill>
    ),
  },
  main('What has to hold', ({ rule }) => rule),
  number('Differences', ({ differences }) => differences),
  {
    label: 'The first',
    kind: 'main',
    cell: ({ first }) =>
      first === null ? '–' : <code className={css.wrap}>{JSON.stringify(first)}</code>,
  },
];

function Report({ of }: { readonly of: Verification }) {
  const { status, events, events_total: total, lanes, lanes_total: lanesTotal, intact } = of;
  const { not_covered: left } = of;
  return (
    <>
      <div className={`${css.inset} ${css.stack}`}>
        {status === 'running' && (
          <div>
            <Progress
              value={total === 0 ? 0 : Math.min(100, (events / total) * 100)}
              animated
              aria-label="Verification"
            />
            <p className={css.note}>
              {formatNumber(events)} of {formatNumber(total)} events, {lanes} of {lanesTotal} lanes
            </p>
          </div>
        )}
        {status === 'failed' && (
          <Notice tone="bad" title="It could not be finished">
            {of.error}
          </Notice>
        )}
        {intact !== null && (
          <Notice
            tone={intact ? 'good' : 'bad'}
            title={intact ? 'Everything belongs together' : 'Something differs'}
          >
            {formatCount(events, 'event')} in {formatCount(lanes, 'lane')}
          </Notice>
        )}
        {left !== null && left.length > 0 && (
          <Notice title="Not looked at">
            {left.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Notice>
        )}
        <p className={css.note}>
          Begun <Moment at={of.started_at} />
          {of.ended_at !== null && (
            <>
              , ended <Moment at={of.ended_at} />
            </>
          )}
        </p>
      </div>
      {of.checks !== null && <DataTable label="Checks" columns={CHECKS} rows={of.checks} isFixed />}
    </>
  );
}
