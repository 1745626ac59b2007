import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { formatCompact, formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { addDays, DAYS_A_WEEK, shortDay, tuesdayOf } from '../../format/days.js';
import { useWorth } from '../credit-price.js';
import { ResourceName } from '../resource-name.js';
import type { StripCell, StripRow } from './window-strip.js';
import css from './strip.module.css';

const SHOWN_AT_FIRST = 40;

/** Rows down and columns right that a key goes. */
const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};

/** Goes to the next cell in the direction of an arrow that holds a link. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const [down, right] = STEPS[event.key] ?? [0, 0];
  const from = event.target instanceof Element ? event.target.closest('td') : null;
  if (from === null || (down === 0 && right === 0)) return;
  event.preventDefault();
  const { rows } = event.currentTarget;
  let [row, column] = [(from.parentElement as HTMLTableRowElement).rowIndex, from.cellIndex];
  for (;;) {
    row += down;
    column += right;
    const cell = rows[row]?.cells[column];
    if (cell === undefined) return;
    const link = cell.querySelector('a');
    if (link !== null) {
      link.focus();
      return;
    }
  }
}

interface StripProps {
  readonly labels: readonly string[];
  readonly rows: readonly StripRow[];
  readonly running: string;
  /** Credits of each window. */
  readonly sums: ReadonlyMap<string, number>;
}

/** Tuesdays across, URLs down. */
export function Strip({ labels, rows, running, sums }: StripProps) {
  const worth = useWorth();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const scroller = useRef<HTMLDivElement>(null);
  // Where not all of it fits, one begins with the newest.
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, []);
  const stop = labels.findLast((label) => rows[0]?.cells.has(label));
  const most = Math.max(
    1,
    ...rows.flatMap(({ cells }) => [...cells.values()].map((c) => c.repeats)),
  );
  return (
    <>
      <div
        ref={scroller}
        className={css.scroll}
        role="region"
        aria-label="URLs by week"
        tabIndex={0}
      >
        <table className={css.strip} onKeyDown={moveFocus}>
          <thead>
            <HeadRow labels={labels} running={running} />
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row.path}>
                <th scope="row">
                  <ResourceName path={row.path} />
                </th>
                {labels.map((label) => (
                  <td key={label}>
                    <Cell
                      path={row.path}
                      label={label}
                      cell={row.cells.get(label)}
                      most={most}
                      isStop={row === rows[0] && label === stop}
                    />
                  </td>
                ))}
                <td className={css.total}>{formatNumber(row.credits)}</td>
                <td className={`${css.total} ${css.worth}`}>{bare(worth(row.credits))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <SumRow labels={labels} sums={sums} />
          </tfoot>
        </table>
      </div>
      {rows.length > shown && (
        <div className={css.more}>
          <Button variant="default" onClick={() => setShown(shown + SHOWN_AT_FIRST * 5)}>
            Show more of {formatNumber(rows.length)} URLs
          </Button>
        </div>
      )}
    </>
  );
}

/** Without the sign of the head. */
function bare(worth: string | undefined): string {
  return worth?.replace('≈ ', '') ?? '–';
}

/** The Tuesdays of the weeks. */
function HeadRow({ labels, running }: Pick<StripProps, 'labels' | 'running'>) {
  return (
    <tr>
      <th scope="col">URL</th>
      {labels.map((label) => (
        <th key={label} scope="col" title={label} data-running={label === running || undefined}>
          {shortDay(tuesdayOf(label))}
        </th>
      ))}
      <th scope="col" className={css.total}>
        Credits
      </th>
      <th scope="col" className={`${css.total} ${css.worth}`}>
        ≈ before tax
      </th>
    </tr>
  );
}

/** The sum of each week, and of all. */
function SumRow({ labels, sums }: Pick<StripProps, 'labels' | 'sums'>) {
  const total = labels.reduce((sum, label) => sum + (sums.get(label) ?? 0), 0);
  return (
    <tr>
      <th scope="row">Sum</th>
      {labels.map((label) => (
        <td key={label}>
          <WeekSum label={label} credits={sums.get(label) ?? 0} />
        </td>
      ))}
      <td className={css.total}>{formatNumber(total)}</td>
      <td className={`${css.total} ${css.worth}`}>{bare(useWorth()(total))}</td>
    </tr>
  );
}

interface WeekSumProps {
  readonly label: string;
  readonly credits: number;
}

/** The credits of a week, which open its calls, and their worth. */
function WeekSum({ label, credits }: WeekSumProps) {
  const worth = useWorth()(credits);
  if (credits === 0) return <span className={css.none}>·</span>;
  const from = tuesdayOf(label);
  return (
    <Link
      to="/calls"
      search={{ from, to: addDays(from, DAYS_A_WEEK), order: 'credits' }}
      className={css.cell}
      tabIndex={-1}
      title={`${label}: ${formatCredits(credits)}${worth === undefined ? '' : `, ${worth} before tax`}`}
    >
      {formatCompact(credits)}
    </Link>
  );
}

interface CellProps {
  readonly path: string;
  readonly label: string;
  readonly cell: StripCell | undefined;
  readonly most: number;
  /** Whether the Tab key stops at it; arrows go to the others. */
  readonly isStop: boolean;
}

function Cell({ path, label, cell, most, isStop }: CellProps) {
  if (cell === undefined) return <span className={css.none}>·</span>;
  const words = [
    cell.base > 0 ? `base ${formatNumber(cell.base)} credits` : 'base paid before',
    formatCount(cell.repeats, 'repeat'),
  ].join(', ');
  return (
    <Link
      to="/calls"
      search={{ resource_key: path.replace('/latest/', `/${label}/`) }}
      className={css.cell}
      tabIndex={isStop ? 0 : -1}
      title={`${label}: ${words}`}
    >
      <span className="visually-hidden">{`${label}: ${words}`}</span>
      <span className={css.base} data-paid={cell.base > 0 || undefined} aria-hidden="true">
        {cell.base > 0 ? formatCompact(cell.base) : '–'}
      </span>
      <span className={css.repeats}>
        {cell.repeats > 0 && (
          <span
            className={css.bar}
            style={{ width: `${Math.max(8, (cell.repeats / most) * 100)}%` }}
          />
        )}
      </span>
      <span className={css.count} aria-hidden="true">
        {cell.repeats > 0 ? `×${cell.repeats}` : ''}
      </span>
    </Link>
  );
}

export function StripLegend() {
  return (
    <span className={css.legend}>
      <span className={css.base} data-paid>
        {formatCompact(1_760)}
      </span>
      base paid
      <span className={css.sample} />
      repeats, ×&nbsp;how often
    </span>
  );
}
