import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../format/credits.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { accountColumn } from './refusal-table.js';
import type { Dispute } from '../rest/answers.js';
import { actions, number } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

const TONES: Readonly<Record<Dispute['status'], Tone>> = {
  open: 'warn',
  accepted: 'good',
  rejected: 'plain',
};

/** The state of a dispute. */
export function DisputePill({ status }: Pick<Dispute, 'status'>) {
  return <Pill tone={TONES[status]}>{status}</Pill>;
}

interface DisputeTableProps {
  readonly items: readonly Dispute[];
  readonly callOf: (callId: string) => ReactNode;
  /** Of lists over all accounts. */
  readonly accountOf?: (dispute: Dispute) => ReactNode;
  readonly actionsOf?: (dispute: Dispute) => ReactNode;
}

/** Disputes with what both sides said. */
export function DisputeTable({ items, callOf, accountOf, actionsOf }: DisputeTableProps) {
  const columns: Columns<Dispute> = [
    {
      label: 'Opened',
      sort: (one) => one.opened_at,
      cell: ({ opened_at: at, status }) => (
        <>
          <Moment at={at} />
          <div>
            <DisputePill status={status} />
          </div>
        </>
      ),
    },
    ...(accountOf ? [accountColumn(accountOf)] : []),
    {
      label: 'Reason and answer',
      kind: 'main',
      sort: ({ reason }) => reason,
      cell: ({ reason, answer }) => (
        <>
          <div>{reason ?? 'Erased'}</div>
          {answer !== null && <div>Answer: {answer}</div>}
        </>
      ),
    },
    {
      label: 'Calls',
      sort: (one) => one.call_ids.length,
      cell: (dispute) => <CallsOf dispute={dispute} callOf={callOf} />,
    },
    number('Disputed', (one) => one.disputed_credits),
    {
      ...number('Given back', (one) => one.given_back_credits),
      cell: ({ status, given_back_credits: back }) =>
        status === 'open' ? '–' : formatNumber(back),
    },
    ...(actionsOf ? [actions(actionsOf, 'Answer')] : []),
  ];
  return <DataTable label="Disputes" columns={columns} rows={items} />;
}

function CallsOf({ dispute, callOf }: Pick<DisputeTableProps, 'callOf'> & { dispute: Dispute }) {
  const [first, ...others] = dispute.call_ids;
  if (first === undefined) return 'none: missing here';
  return (
    <>
      {callOf(first)}
      {others.length > 0 && <div>and {formatCount(others.length, 'other call')}</div>}
    </>
  );
}
