import { AreaChart, BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useId, type KeyboardEvent } from 'react';
import { formatCompact, formatNumber } from '../format/credits.js';
import css from './charts.module.css';

export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** Whether it is expected, and not there yet: it opens nothing. */
  readonly isAhead?: boolean;
  /** Series of the same stack stand on each other. */
  readonly stackId?: string;
}

/** A limit, drawn across all bars. */
export interface LimitLine {
  readonly value: number;
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
  readonly lines?: readonly LimitLine[];
  readonly height?: number;
  readonly unit?: string;
  readonly onBar?: (row: number, series: string) => void;
}

const AXIS = {
  tickLine: false,
  axisLine: false,
  tick: { fontSize: 12, fill: 'var(--ink-soft)' },
} as const;

/** Keeps a text readable that stands on bars. */
const HALO = { stroke: 'var(--surface)', strokeWidth: 4, paintOrder: 'stroke' } as const;

/** Room above the highest line, of its value. */
const LINE_ROOM = 1.08;

/** Bars, stacked or side by side. What a bar opens, Enter opens too. */
export function Bars(props: BarsProps) {
  const { label, rows, dataKey, series, stacked = false, height = 240, unit = 'credits' } = props;
  const { onBar, lines = [] } = props;
  const hatch = useId();
  const top = Math.max(0, ...lines.map(({ value }) => value));
  return (
    <figure className={css.figure}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <Hatches id={hatch} series={series} />
      <BarChart
        h={height}
        data={rows.map((row) => ({ ...row }))}
        dataKey={dataKey}
        series={series.map(({ name, label: text, color, stackId }) => ({
          name,
          label: text,
          color,
          ...(stackId !== undefined && { stackId }),
        }))}
        type={stacked ? 'stacked' : 'default'}
        tickLine="none"
        gridAxis="x"
        withLegend={series.length > 1}
        legendProps={{
          verticalAlign: 'top',
          align: 'right',
          itemSorter: null,
          content: () => <Legend series={series} />,
        }}
        valueFormatter={(value) => `${formatNumber(value)} ${unit}`}
        yAxisProps={{
          ...AXIS,
          width: 52,
          tickFormatter: formatCompact,
          // A line above all bars is seen, too.
          ...(top > 0 && {
            domain: [0, (most: number) => Math.max(most, Math.ceil(top * LINE_ROOM))],
          }),
        }}
        xAxisProps={{ ...AXIS, minTickGap: 12, interval: 'equidistantPreserveStart' }}
        maxBarWidth={44}
        tooltipAnimationDuration={0}
        referenceLines={lines.map(({ value: y, label: value, color }) => ({
          y,
          color,
          label: { value, ...HALO },
        }))}
        barChartProps={{ accessibilityLayer: onBar === undefined }}
        barProps={(each) => {
          const one = series.find(({ name }) => name === each.name);
          const isAhead = one?.isAhead === true;
          return {
            isAnimationActive: false,
            shape: (shape: ShapeProps) => (
              <BarShape
                {...shape}
                fill={isAhead ? `url(#${hatch}${each.name})` : (one?.color ?? '')}
                name={`${shape.payload?.[dataKey]}, ${one?.label}: ${formatNumber(Number(shape.payload?.[each.name]))} ${unit}`}
                onOpen={isAhead ? undefined : onBar && (() => onBar(shape.index, each.name))}
              />
            ),
          };
        }}
      />
    </figure>
  );
}

/** Stripes for what is expected, in the colour of its series. */
function Hatches({ id, series }: { readonly id: string; readonly series: readonly Series[] }) {
  return (
    <svg width={0} height={0} className={css.patterns} aria-hidden="true">
      {series
        .filter(({ isAhead }) => isAhead === true)
        .map(({ name, color }) => (
          <pattern
            key={name}
            id={`${id}${name}`}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={3} height={6} fill={color} />
          </pattern>
        ))}
    </svg>
  );
}

/** Names of the series, each behind its colour, or the stripes of what is expected. */
function Legend({ series }: Pick<BarsProps, 'series'>) {
  return (
    <ul className={css.legend}>
      {series.map(({ name, label, color, isAhead }) => (
        <li key={name}>
          <span className={isAhead ? css.hatched : css.plain} style={{ color }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

interface ShapeProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly index: number;
  readonly payload?: Readonly<Record<string, string | number>>;
}

interface BarShapeProps extends Pick<ShapeProps, 'x' | 'y' | 'width' | 'height'> {
  readonly fill: string;
  readonly name: string;
  readonly onOpen: (() => void) | undefined;
}

function BarShape({ x, y, width, height, fill, name, onOpen }: BarShapeProps) {
  if (!(height > 0)) return null;
  const path = `M${x},${y}h${width}v${height}h${-width}z`;
  if (onOpen === undefined) return <path d={path} fill={fill} />;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onOpen();
  };
  return (
    <path
      d={path}
      fill={fill}
      role="button"
      tabIndex={0}
      aria-label={name}
      className={css.bar}
      onClick={onOpen}
      onKeyDown={press}
    />
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
