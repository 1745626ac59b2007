import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../format/credits.js';
import type { Dispute } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../ui/table.js';

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
  readonly accountOf?: (id: string) => ReactNode;
  readonly actionsOf?: (dispute: Dispute) => ReactNode;
}

/** Disputes with what both sides said. */
export function DisputeTable({ items, callOf, accountOf, actionsOf }: DisputeTableProps) {
  const heads = [
    'Opened',
    ...(accountOf ? ['Account'] : []),
    'Reason and answer',
    'Calls',
    '#Disputed',
    '#Given back',
    ...(actionsOf ? ['Answer'] : []),
  ];
  return (
    <Table label="Disputes" head={<Heads of={heads} />}>
      {items.map((dispute) => (
        <tr key={dispute.id}>
          <td>
            <Moment at={dispute.opened_at} /> <DisputePill status={dispute.status} />
          </td>
          {accountOf && <td>{accountOf(dispute.account_id)}</td>}
          <td className={mainCell}>
            <div>{dispute.reason ?? 'Erased'}</div>
            {dispute.answer !== null && <div>Answer: {dispute.answer}</div>}
          </td>
          <td>
            <CallsOf dispute={dispute} callOf={callOf} />
          </td>
          <td className={numberCell}>{formatNumber(dispute.disputed_credits)}</td>
          <td className={numberCell}>
            {dispute.status === 'open' ? '–' : formatNumber(dispute.given_back_credits)}
          </td>
          {actionsOf && <td>{actionsOf(dispute)}</td>}
        </tr>
      ))}
    </Table>
  );
}

function CallsOf({ dispute, callOf }: Pick<DisputeTableProps, 'callOf'> & { dispute: Dispute }) {
  const [first = '', ...others] = dispute.call_ids;
  return (
    <>
      {callOf(first)}
      {others.length > 0 && <div>and {formatCount(others.length, 'other call')}</div>}
    </>
  );
}
