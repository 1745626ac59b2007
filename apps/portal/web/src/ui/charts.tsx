import { AreaChart, BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { formatCompact, formatNumber } from '../format/credits.js';
import css from './charts.module.css';

export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

export interface BarsProps {
  /** The chart in one sentence: the numbers stand in a table beside it. */
  readonly label: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly dataKey: string;
  readonly series: readonly Series[];
  readonly stacked?: boolean;
  readonly height?: number;
  readonly unit?: string;
  readonly onBar?: (row: number, series: string) => void;
}

const AXIS = {
  tickLine: false,
  axisLine: false,
  tick: { fontSize: 12, fill: 'var(--ink-soft)' },
} as const;

/** Bars, stacked or side by side. */
export function Bars(props: BarsProps) {
  const { label, rows, dataKey, series, stacked = false, height = 240, unit = 'credits' } = props;
  const { onBar } = props;
  return (
    <figure className={css.figure} data-clickable={onBar !== undefined || undefined}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <BarChart
        h={height}
        data={rows.map((row) => ({ ...row }))}
        dataKey={dataKey}
        series={series.map((each) => ({ ...each }))}
        type={stacked ? 'stacked' : 'default'}
        tickLine="none"
        gridAxis="x"
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'top', align: 'right', itemSorter: null }}
        valueFormatter={(value) => `${formatNumber(value)} ${unit}`}
        yAxisProps={{ ...AXIS, width: 52, tickFormatter: formatCompact }}
        xAxisProps={{ ...AXIS, minTickGap: 12, interval: 'equidistantPreserveStart' }}
        maxBarWidth={44}
        tooltipAnimationDuration={0}
        barProps={(each) => ({
          isAnimationActive: false,
          radius: stacked ? 0 : 3,
          ...(onBar && { onClick: (_bar: unknown, row: number) => onBar(row, each.name) }),
        })}
      />
    </figure>
  );
}

export interface LineProps {
  readonly label: string;
  /** Null: a gap in the line. */
  readonly points: readonly { readonly date: string; readonly value: number | null }[];
  readonly name: string;
  readonly height?: number;
}

/** One value over time. */
export function Line({ label, points, name, height = 280 }: LineProps) {
  return (
    <figure className={css.figure}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <AreaChart
        h={height}
        data={points.map((point) => ({ ...point }))}
        dataKey="date"
        series={[{ name: 'value', label: name, color: 'var(--base)' }]}
        curveType="monotone"
        withDots={false}
        connectNulls={false}
        gridAxis="x"
        tickLine="none"
        fillOpacity={0.15}
        valueFormatter={(value) => formatNumber(value)}
        yAxisProps={{ ...AXIS, width: 52, tickFormatter: formatCompact }}
        xAxisProps={{ ...AXIS, minTickGap: 32, tickFormatter: monthName }}
        areaProps={{ isAnimationActive: false }}
        tooltipAnimationDuration={0}
      />
    </figure>
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
