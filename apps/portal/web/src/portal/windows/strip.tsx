import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import { formatCompact, formatCount, formatNumber } from '../../format/credits.js';
import { shortDay, tuesdayOf } from '../../format/days.js';
import { ResourceName } from '../resource-name.js';
import type { StripCell, StripRow } from './window-strip.js';
import css from './strip.module.css';

const SHOWN_AT_FIRST = 40;

interface StripProps {
  readonly labels: readonly string[];
  readonly rows: readonly StripRow[];
  readonly running: string;
}

/** Tuesdays across, URLs down. */
export function Strip({ labels, rows, running }: StripProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const scroller = useRef<HTMLDivElement>(null);
  // Where not all of it fits, one begins with the newest.
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, []);
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
        aria-label="URLs by window"
        tabIndex={0}
      >
        <table className={css.strip}>
          <thead>
            <tr>
              <th scope="col">URL</th>
              {labels.map((label) => (
                <th
                  key={label}
                  scope="col"
                  title={label}
                  data-running={label === running || undefined}
                >
                  {shortDay(tuesdayOf(label))}
                </th>
              ))}
              <th scope="col" className={css.total}>
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row.path}>
                <th scope="row">
                  <ResourceName path={row.path} />
                </th>
                {labels.map((label) => (
                  <td key={label}>
                    <Cell path={row.path} label={label} cell={row.cells.get(label)} most={most} />
                  </td>
                ))}
                <td className={css.total}>{formatNumber(row.credits)}</td>
              </tr>
            ))}
          </tbody>
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

interface CellProps {
  readonly path: string;
  readonly label: string;
  readonly cell: StripCell | undefined;
  readonly most: number;
}

function Cell({ path, label, cell, most }: CellProps) {
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
