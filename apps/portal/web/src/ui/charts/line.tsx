import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { Plot, type Area } from './plot.js';
import { ticksUpTo } from './scale.js';
import css from './charts.module.css';

interface Point {
  readonly date: string;
  /** Null: a gap in the line. */
  readonly value: number | null;
}

interface LineProps {
  readonly label: string;
  readonly points: readonly Point[];
  readonly name: string;
  readonly height?: number;
}

/** One value over time. */
export function Line({ label, points, name, height = 280 }: LineProps) {
  const [at, point] = useState<number | null>(null);
  const shown = at === null ? undefined : points[at];
  return (
    <Plot
      label={label}
      height={height}
      ticks={ticksUpTo(Math.max(0, ...points.map(({ value }) => value ?? 0)))}
      names={points.map(({ date }) => monthName(date))}
      at={shown === undefined ? null : at}
      onPoint={point}
      isPressable={false}
      note={
        shown && (
          <>
            <strong>{monthName(shown.date)}</strong>
            <span>
              {name}: {shown.value === null ? '–' : formatNumber(shown.value)}
            </span>
          </>
        )
      }
    >
      {(area) =>
        stretchesOf(points).map(([first, values]) => (
          <Stretch key={first} area={area} first={first} values={values} />
        ))
      }
    </Plot>
  );
}

/** The parts of the line between its gaps: the place of the first point, and the values from it. */
function stretchesOf(points: readonly Point[]): readonly (readonly [number, readonly number[]])[] {
  const stretches: [number, number[]][] = [];
  points.forEach(({ value }, place) => {
    if (value === null) return;
    if (place === 0 || points[place - 1]?.value === null) stretches.push([place, []]);
    stretches.at(-1)?.[1].push(value);
  });
  return stretches;
}

interface StretchProps {
  readonly area: Area;
  readonly first: number;
  readonly values: readonly number[];
}

function Stretch({ area: { x, y, band, bottom }, first, values }: StretchProps) {
  const middle = (index: number) => x(first + index) + band / 2;
  const line = values.map((value, index) => `${middle(index)},${y(value)}`).join('L');
  const [left, right] = [middle(0), middle(values.length - 1)];
  return (
    <>
      <path className={css.below} d={`M${left},${bottom}L${line}L${right},${bottom}z`} />
      {values.length === 1 ? (
        <circle className={css.single} cx={left} cy={y(values[0] ?? 0)} r={2} />
      ) : (
        <path className={css.line} d={`M${line}`} />
      )}
    </>
  );
}

/** `2026-10-01` → `Oct 26` */
function monthName(date: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    month: 'short',
    year: '2-digit',
    timeZone: 'UTC',
  });
  return format.format(new Date(date));
}
