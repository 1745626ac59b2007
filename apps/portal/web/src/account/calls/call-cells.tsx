import { formatNumber } from '../../format/credits.js';
import { formatExact, momentHint } from '../../format/moments.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { SortHead } from '../../ui/sort-heads.js';
import { useZones } from '../../ui/zones.js';
import css from './calls.module.css';
import type { Call } from '../../rest/answers.js';

interface CellsProps {
  readonly call: Call;
}

interface TimeHeadProps {
  /** Null: newest first. */
  readonly order: 'asc' | null;
  readonly onSort: () => void;
}

/** Calls come in the order of time; its head turns them round. */
export function TimeHead({ order, onSort }: TimeHeadProps) {
  return (
    <SortHead label="Time" order={order === 'asc' ? 'ascending' : 'descending'} onSort={onSort} />
  );
}

/** When the call was, as the button that opens its row. */
export function TimeCell({ call }: CellsProps) {
  const { shown, other } = useZones();
  return (
    <td>
      <button type="button" className={css.open}>
        <time dateTime={call.at} title={momentHint(call.at, other ?? shown)}>
          {formatExact(call.at, shown)}
        </time>
      </button>
    </td>
  );
}

/** Kind and cost of the call, and the balance after it. */
export function CostCells({ call }: CellsProps) {
  return (
    <>
      <td>
        <KindPill kind={call.kind} />
      </td>
      <td className={css.number}>{formatNumber(call.credits_used)}</td>
      <td className={css.number}>{formatNumber(call.balance_after)}</td>
    </>
  );
}

export function TagsCell({ call }: CellsProps) {
  return (
    <td>
      <div className={css.tags}>
        {Object.entries(call.tags ?? {}).map(([name, value]) => (
          <Pill key={name}>
            {name}={value}
          </Pill>
        ))}
      </div>
    </td>
  );
}
