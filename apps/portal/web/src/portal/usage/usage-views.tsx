import { shortDay, weekday } from '../../format/days.js';
import { Bars } from '../../ui/charts/bars.js';
import {
  acrossWindows,
  OTHERS,
  TIME_DIMENSIONS,
  chartOf,
  stretchesOf,
  type UsageRow,
} from './usage-groups.js';
import { seriesOf } from './url-series.js';
import { spanBefore, type ComparedRow, type Span } from './usage-rows.js';
import { dimensionName } from './usage-search.js';
import { useValueName } from './value-names.js';
import css from './usage.module.css';
import type { Dimension } from '../../rest/answers.js';

const SERIES_COLORS = [
  'var(--base)',
  '#d18a1c',
  '#4f7fc4',
  '#a05a9c',
  '#c0563f',
  '#8a939d',
  '#5f8f3e',
] as const;

/** Of the two kinds the one that costs is the strong one, everywhere. */
function colorOf(name: string, index: number): string {
  if (name === 'base') return 'var(--base)';
  if (name === 'repeat') return 'var(--repeat)';
  return SERIES_COLORS[index % SERIES_COLORS.length] ?? 'var(--base)';
}

/** The series of the period before: no value of a dimension is called so. */
const BEFORE = 'the period before';
/** More days stand too close for lines between them. */
const MARKED_DAYS_MAX = 92;

interface UsageChartProps {
  readonly by: readonly Dimension[];
  readonly rows: readonly ComparedRow[];
  readonly range: Span;
  readonly onOpen: (row: UsageRow) => void;
  readonly onBefore: (range: Span) => void;
}

/** True of sums that a chart shows: those over time; others have bars in their table. */
export function isOverTime([first]: readonly Dimension[]): boolean {
  return first !== undefined && TIME_DIMENSIONS.includes(first);
}

/** Sums over time, beside those of the period before. */
export function UsageChart({ by, rows, range, onOpen, onBefore }: UsageChartProps) {
  const nameOf = useValueName();
  const [first = 'day', second] = by;
  const label = `Credits by ${by.map((each) => dimensionName(each).toLowerCase()).join(', ')}`;
  const stretches = stretchesOf(first, range.from, range.to);
  const chart = chartOf(acrossWindows(rows, by), stretches);
  const isCompared = rows.some((row) => row.before !== null);
  const marks = first === 'day' && stretches.length <= MARKED_DAYS_MAX ? tuesdaysOf(stretches) : [];
  const open = (index: number, part: string) => {
    if (part === BEFORE) {
      onBefore(spanBefore(range));
      return;
    }
    const bar = chart.rows[index]?.name;
    const fits = ({ values }: UsageRow) =>
      values[0] === bar &&
      (values[1] === undefined || (second === 'key' ? seriesOf(values[1]) : values[1]) === part);
    const row = rows.find(fits);
    if (row !== undefined && part !== OTHERS) onOpen(row);
  };
  const ghost = { name: BEFORE, label: BEFORE, color: 'var(--muted-bar)' };
  return (
    <>
      <Bars
        label={`${label}, as the table below`}
        rows={chart.rows.map((row) => ({
          ...row,
          name: nameOf(first, String(row.name)),
          [BEFORE]: sumBefore(rows, row.name),
        }))}
        dataKey="name"
        series={[
          ...(isCompared ? [ghost] : []),
          ...chart.series.map((name, index) => ({
            name,
            label: second === undefined || name === OTHERS ? name : nameOf(second, name),
            color: colorOf(name, index),
            stackId: 'now',
          })),
        ]}
        marks={marks}
        onBar={open}
      />
      <p className={css.note}>
        {isCompared && `Grey: ${days(spanBefore(range))}. `}
        {marks.length > 0 && 'Dotted lines: Tuesdays, when each URL costs its base again.'}
      </p>
    </>
  );
}

function tuesdaysOf(stretches: readonly string[]): readonly number[] {
  return stretches.flatMap((day, place) => (weekday(day) === 'Tue' ? [place] : []));
}

function sumBefore(rows: readonly ComparedRow[], name: string | number | undefined): number {
  const ofBar = rows.filter(({ values }) => values[0] === name);
  return ofBar.reduce((sum, { before }) => sum + (before ?? 0), 0);
}

/** First and last day of a range. */
function days({ from, to }: Span): string {
  const last = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return `${shortDay(from)} to ${shortDay(last)}`;
}
