import { memo } from 'react';
import { formatNumber } from '../../format/credits.js';
import { formatExact, momentHint } from '../../format/moments.js';
import type { Call } from '../../rest/answers.js';
import { useZones } from '../../ui/zones.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { ResourceName } from '../resource-name.js';
import { useKeyLabel } from '../use-key-label.js';
import css from '../../account/calls/calls.module.css';

export const CALL_COLUMNS = (
  <tr>
    <th scope="col">Time</th>
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

interface CallRowProps {
  readonly call: Call;
  readonly row: number;
  readonly onOpen: (callId: string) => void;
}

export const CallRow = memo(function CallRow({ call, row, onOpen }: CallRowProps) {
  const { shown, other } = useZones();
  const label = useKeyLabel(call.api_key_id);
  return (
    <tr className={css.row} aria-rowindex={row + 2} onClick={() => onOpen(call.call_id)}>
      <td>
        <button type="button" className={css.open}>
          <time dateTime={call.at} title={momentHint(call.at, other ?? shown)}>
            {formatExact(call.at, shown)}
          </time>
        </button>
      </td>
      <td className={css.main}>
        <ResourceName path={call.key} withWindow />
      </td>
      <td>
        <KindPill kind={call.kind} />
      </td>
      <td className={css.number}>{formatNumber(call.credits_used)}</td>
      <td className={css.number}>{formatNumber(call.balance_after)}</td>
      <td className={css.soft}>{label}</td>
      <td>
        <div className={css.tags}>
          {Object.entries(call.tags ?? {}).map(([name, value]) => (
            <Pill key={name}>
              {name}={value}
            </Pill>
          ))}
        </div>
      </td>
    </tr>
  );
});
