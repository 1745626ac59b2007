import { memo, type ReactNode } from 'react';
import { ResourceName } from '../resource-name.js';
import { useKeyLabel } from '../use-key-label.js';
import css from '../../account/calls/calls.module.css';
import { CostCells, TagsCell, TimeCell } from '../../account/calls/call-cells.js';
import type { Call } from '../../rest/answers.js';

/** Heads of the columns; `time` is the first. */
export function CallHeads({ time }: { readonly time: ReactNode }) {
  return (
    <tr>
      {time}
      <th scope="col">What was asked for</th>
      <th scope="col">Kind</th>
      <th scope="col" className={css.number}>
        Credits
      </th>
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
