import { formatNumber } from '../../format/credits.js';
import { Bars } from '../../ui/charts/bars.js';
import { Empty } from '../../ui/notice.js';
import {
  acrossWindows,
  OTHERS,
  TIME_DIMENSIONS,
  chartOf,
  stretchesOf,
  type UsageRow,
} from './usage-groups.js';
import { seriesOf } from './url-series.js';
import { dimensionName } from './usage-search.js';
import { useValueName } from './value-names.js';
import css from './usage.module.css';
import type { Dimension } from '../../rest/answers.js';

export const SERIES_COLORS = [
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

interface UsageViewProps {
  readonly by: readonly Dimension[];
  readonly rows: readonly UsageRow[];
  readonly onOpen: (row: UsageRow) => void;
}

interface UsageChartProps extends UsageViewProps {
  /** Days; `to` is the first that does not belong to it. */
  readonly from: string;
  readonly to: string;
}

export function UsageChart({ by, rows, from, to, onOpen }: UsageChartProps) {
  const nameOf = useValueName();
  const [first = 'day', second] = by;
  if (rows.length === 0) {
    return <Empty title="No calls in this range">Choose a longer range, or fewer filters.</Empty>;
  }
  const label = `Credits by ${by.map((each) => dimensionName(each).toLowerCase()).join(', ')}`;
  if (!TIME_DIMENSIONS.includes(first)) return <Ranked by={by} rows={rows} onOpen={onOpen} />;
  const chart = chartOf(acrossWindows(rows, by), stretchesOf(first, from, to));
  const open = (index: number, part: string) => {
    const bar = chart.rows[index]?.name;
    const fits = ({ values }: UsageRow) =>
      values[0] === bar &&
      (values[1] === undefined || (second === 'key' ? seriesOf(values[1]) : values[1]) === part);
    const row = rows.find(fits);
    if (row !== undefined && part !== OTHERS) onOpen(row);
  };
  return (
    <Bars
      label={`${label}, as the table below`}
      rows={chart.rows.map((row) => ({ ...row, name: nameOf(first, String(row.name)) }))}
      dataKey="name"
      stacked
      series={chart.series.map((name, index) => ({
        name,
        label: second === undefined || name === OTHERS ? name : nameOf(second, name),
        color: colorOf(name, index),
      }))}
      onBar={open}
    />
  );
}

const RANKED_MAX = 12;

/** Horizontal bars for groups that are no periods: they leave room for names. */
function Ranked({ by, rows, onOpen }: UsageViewProps) {
  const nameOf = useValueName();
  const most = Math.max(1, ...rows.map((row) => row.credits));
  return (
    <ul className={css.ranked}>
      {rows.slice(0, RANKED_MAX).map((row) => (
        <li key={row.values.join('\n')}>
          <button type="button" className={css.bar} onClick={() => onOpen(row)}>
            <span className={css.barName}>
              {by.map((each, index) => nameOf(each, row.values[index] ?? '')).join(' · ')}
            </span>
            <span className={css.track}>
              <span className={css.fill} style={{ width: `${(row.credits / most) * 100}%` }} />
            </span>
            <span className={css.barValue}>{formatNumber(row.credits)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
