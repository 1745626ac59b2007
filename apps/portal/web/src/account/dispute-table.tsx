import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../format/credits.js';
import type { Dispute } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { SortedTable, type SortedColumn } from '../ui/sorted-table.js';
import { mainCell, numberCell } from '../ui/table.js';

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

const ACCOUNT: SortedColumn<Dispute> = {
  name: 'account',
  label: 'Account',
  value: (one) => one.account_name ?? one.account_id,
};

/** Disputes with what both sides said. */
export function DisputeTable({ items, callOf, accountOf, actionsOf }: DisputeTableProps) {
  const columns: readonly SortedColumn<Dispute>[] = [
    { name: 'opened', label: 'Opened', value: (one) => one.opened_at },
    ...(accountOf ? [ACCOUNT] : []),
    { name: 'reason', label: 'Reason and answer', value: ({ reason }) => reason },
    { name: 'calls', label: 'Calls', value: (one) => one.call_ids.length },
    { name: 'disputed', label: 'Disputed', isNumber: true, value: (one) => one.disputed_credits },
    { name: 'back', label: 'Given back', isNumber: true, value: (one) => one.given_back_credits },
    ...(actionsOf ? [{ name: '', label: 'Answer' }] : []),
  ];
  return (
    <SortedTable label="Disputes" columns={columns} rows={items}>
      {(dispute) => (
        <tr key={dispute.id}>
          <td>
            <Moment at={dispute.opened_at} />
            <div>
              <DisputePill status={dispute.status} />
            </div>
          </td>
          {accountOf && <td>{accountOf(dispute)}</td>}
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
      )}
    </SortedTable>
  );
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
