import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import { formatCount, formatNumber } from '../../format/credits.js';
import { callSumQuery, type CallFilter } from '../../rest/queries.js';
import { useWorth } from '../credit-price.js';
import { ResourceName } from '../resource-name.js';
import { useKeyLabel } from '../use-key-label.js';
import css from '../../account/calls/calls.module.css';
import { CostCells, TagsCell, TimeCell } from '../../account/calls/call-cells.js';
import type { Call } from '../../rest/answers.js';

interface CallHeadsProps {
  readonly time: ReactNode;
  readonly credits: ReactNode;
}

/** Heads of the columns, two of which sort. */
export function CallHeads({ time, credits }: CallHeadsProps) {
  return (
    <tr>
      {time}
      <th scope="col">What was asked for</th>
      <th scope="col">Kind</th>
      {credits}
      <th scope="col" className={css.number}>
        Balance after
      </th>
      <th scope="col">API key</th>
      <th scope="col">Tags</th>
    </tr>
  );
}

interface CallRowProps {
  readonly call: Call;
  readonly row: number;
  readonly onOpen: (callId: string) => void;
}

export const CallRow = memo(function CallRow({ call, row, onOpen }: CallRowProps) {
  const label = useKeyLabel(call.api_key_id);
  return (
    <tr className={css.row} aria-rowindex={row + 2} onClick={() => onOpen(call.call_id)}>
      <TimeCell call={call} />
      <td className={css.main}>
        <ResourceName path={call.key} withWindow />
      </td>
      <CostCells call={call} />
      <td className={css.soft}>{label}</td>
      <TagsCell call={call} />
    </tr>
  );
});

/** The sum of the calls with the filter, in credits and money. */
export function CallSum({ filter }: { readonly filter: CallFilter }) {
  const { data: sum } = useQuery(callSumQuery(filter));
  const worth = useWorth()(sum?.credits_used ?? 0);
  return (
    <tr>
      <th scope="row" colSpan={3}>
        {sum === undefined ? 'Sum' : `Sum of ${formatCount(sum.calls, 'call')}`}
      </th>
      <td className={css.number}>{sum === undefined ? '…' : formatNumber(sum.credits_used)}</td>
      <td colSpan={3}>{worth !== undefined && sum !== undefined && `${worth} before tax`}</td>
    </tr>
  );
}
