import { useId, useState, type KeyboardEvent } from 'react';
import { formatNumber } from '../../format/credits.js';
import { Plot, type Area } from './plot.js';
import { ticksUpTo } from './scale.js';
import { barsOf, highest, piecesOf, type ChartRow, type Piece, type Series } from './stacks.js';
import css from './charts.module.css';

/** A limit, drawn across all bars. */
export interface LimitLine {
  readonly value: number;
  readonly label: string;
  readonly color: string;
}

interface BarsProps {
  /** The chart in one sentence: the numbers stand in a table beside it. */
  readonly label: string;
  readonly rows: readonly ChartRow[];
  readonly dataKey: string;
  readonly series: readonly Series[];
  readonly stacked?: boolean;
  readonly lines?: readonly LimitLine[];
  readonly height?: number;
  readonly unit?: string;
  /** Places that begin something, each behind a dotted line. */
  readonly marks?: readonly number[];
  readonly onBar?: (row: number, series: string) => void;
}

/** Room that a chart takes with its legend, in pixels. */
export const CHART_HEIGHT = 275;

/** Room above the highest line, of its value. */
const LINE_ROOM = 1.08;
const BAR_WIDTH_MAX = 44;
/** Part of a place that its bars take. */
const FILLED = 0.74;

/**
 * Bars, stacked or side by side. The chart is one stop of the Tab key: arrows go from bar to bar,
 * and Enter opens what a click opens.
 */
export function Bars(props: BarsProps) {
  const { label, rows, dataKey, series, stacked = false, height = 240, unit = 'credits' } = props;
  const { onBar, lines = [], marks = [] } = props;
  const [at, point] = useState<number | null>(null);
  const [stop, setStop] = useState<string | null>(null);
  const hatch = useId();
  const pieces = rows.map((row) => piecesOf(row, series, stacked));
  const top = Math.max(0, ...lines.map(({ value }) => value * LINE_ROOM));
  const names = rows.map((row) => String(row[dataKey]));
  const count = barsOf(series, stacked).length;
  const openable = pieces.flatMap((ofRow, row) =>
    ofRow
      .filter(({ series: one }) => one.isAhead !== true)
      .map(({ series: one }) => `${row} ${one.name}`),
  );
  const tabStop = stop !== null && openable.includes(stop) ? stop : openable[0];
  const shown = at !== null && at < rows.length ? at : null;
  return (
    <div>
      {series.length > 1 && <Legend series={series} />}
      <Hatches id={hatch} series={series} />
      <Plot
        label={label}
        height={height}
        ticks={ticksUpTo(Math.max(highest(pieces), top))}
        names={names}
        marks={marks}
        at={shown}
        onPoint={point}
        isPressable={onBar !== undefined}
        note={
          shown !== null && (
            <Note name={names[shown] ?? ''} pieces={pieces[shown] ?? []} unit={unit} />
          )
        }
      >
        {(area) => (
          <>
            {pieces.map((ofRow, row) =>
              ofRow.map((piece) => {
                const { name, isAhead, color, label: of } = piece.series;
                return (
                  <Bar
                    key={`${row} ${name}`}
                    path={pathOf(area, row, piece, count)}
                    fill={isAhead === true ? `url(#${hatch}${name})` : color}
                    name={`${names[row]}, ${of}: ${formatNumber(piece.value)} ${unit}`}
                    onOpen={isAhead === true ? undefined : onBar && (() => onBar(row, name))}
                    isStop={tabStop === `${row} ${name}`}
                    onFocus={() => {
                      setStop(`${row} ${name}`);
                      point(row);
                    }}
                    onBlur={() => point(null)}
                  />
                );
              }),
            )}
            <Lines area={area} lines={lines} />
          </>
        )}
      </Plot>
    </div>
  );
}

/** A rectangle of whole pixels' width; no piece is too low to be seen. */
function pathOf({ band, x, y }: Area, row: number, { bar, from, value }: Piece, count: number) {
  const width = Math.max(1, Math.min(BAR_WIDTH_MAX, (band * FILLED) / count));
  const left = x(row) + (band - width * count) / 2 + bar * width;
  const height = Math.max(1, y(from) - y(from + value));
  return `M${left},${y(from) - height}h${width}v${height}h${-width}z`;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

interface BarShapeProps {
  readonly path: string;
  readonly fill: string;
  readonly name: string;
  readonly onOpen: (() => void) | undefined;
  /** Whether the Tab key stops at it. */
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

function Bar({ path, fill, name, onOpen, isStop, onFocus, onBlur }: BarShapeProps) {
  if (onOpen === undefined) return <path d={path} fill={fill} aria-hidden="true" />;
  const press = (event: KeyboardEvent<SVGPathElement>): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const bars = [
        ...(event.currentTarget.ownerSVGElement?.querySelectorAll('[role=button]') ?? []),
      ];
      const next = bars[bars.indexOf(event.currentTarget) + step];
      if (next instanceof SVGElement) next.focus();
      return;
    }
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onOpen();
  };
  return (
    <path
      d={path}
      fill={fill}
      role="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={name}
      className={css.bar}
      onClick={onOpen}
      onKeyDown={press}
      onFocus={onFocus}
      onBlur={onBlur}
    />
  );
}

interface LinesProps {
  readonly area: Area;
  readonly lines: readonly LimitLine[];
}

function Lines({ area, lines }: LinesProps) {
  return lines.map(({ value, label, color }) => (
    <g key={`${label} ${value}`} className={css.limit} aria-hidden="true">
      <line x1={area.x(0)} x2={area.width} y1={area.y(value)} y2={area.y(value)} stroke={color} />
      <text x={area.x(0) + 6} y={area.y(value) - 5} fill={color}>
        {label}
      </text>
    </g>
  ));
}

interface NoteProps {
  readonly name: string;
  readonly pieces: readonly Piece[];
  readonly unit: string;
}

/** The numbers of one place. */
function Note({ name, pieces, unit }: NoteProps) {
  return (
    <>
      <strong>{name}</strong>
      {pieces.length === 0 && <span>nothing</span>}
      {pieces.map(({ series, value }) => (
        <span key={series.name} className={css.noteLine}>
          <Swatch series={series} />
          {series.label}
          <span className={css.noteValue}>
            {formatNumber(value)} {unit}
          </span>
        </span>
      ))}
    </>
  );
}

/** The colour of a series, or its stripes. */
function Swatch({ series: { color, isAhead } }: { readonly series: Series }) {
  return <span className={isAhead === true ? css.hatched : css.plain} style={{ color }} />;
}

type LegendProps = Pick<BarsProps, 'series'>;

/** Stripes for what is expected, in the colour of its series. */
function Hatches({ id, series }: LegendProps & { readonly id: string }) {
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

/** Names of the series, each behind its colour. */
function Legend({ series }: LegendProps) {
  return (
    <ul className={css.legend}>
      {series.map((one) => (
        <li key={one.name}>
          <Swatch series={one} />
          {one.label}
        </li>
      ))}
    </ul>
  );
}
