import { useElementSize } from '@mantine/hooks';
import type { PointerEvent, ReactNode } from 'react';
import { formatCompact } from '../../format/credits.js';
import { namesApart, widthOf } from './scale.js';
import css from './charts.module.css';

const LEFT = 52;
const RIGHT = 4;
const TOP = 10;
const BOTTOM = 26;
/** Width in which a note has no room beside its place. */
const NARROW = 520;

/** Where the places of a chart are, in pixels. */
export interface Area {
  readonly width: number;
  readonly bottom: number;
  /** Width of one place. */
  readonly band: number;
  /** The left end of a place. */
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
}

interface PlotProps {
  readonly label: string;
  readonly height: number;
  readonly ticks: readonly number[];
  /** The text below each place. */
  readonly names: readonly string[];
  /** Places that begin something, each behind a dotted line. */
  readonly marks?: readonly number[];
  /** The place that is pointed at; null: none. */
  readonly at: number | null;
  readonly onPoint: (place: number | null) => void;
  /** A few words about the place that is pointed at. */
  readonly note: ReactNode;
  readonly isPressable: boolean;
  readonly children: (area: Area) => ReactNode;
}

/** The axes of a chart as wide as its room, and a note beside the place that is pointed at. */
export function Plot({ label, height, ticks, names, at, onPoint, note, ...rest }: PlotProps) {
  const { isPressable, marks = [], children } = rest;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const area = areaOf(width, height, ticks.at(-1) ?? 1, names.length);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const place = Math.floor(left / area.band);
    onPoint(place >= 0 && place < names.length ? place : null);
  };
  return (
    <figure className={css.figure}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <div ref={ref} className={css.plot} style={{ height }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            aria-hidden={!isPressable}
            onPointerMove={point}
            onPointerLeave={() => onPoint(null)}
          >
            <Axes area={area} ticks={ticks} names={names} marks={marks} />
            {at !== null && (
              <rect
                className={css.cursor}
                x={area.x(at)}
                y={TOP}
                width={area.band}
                height={area.bottom - TOP}
              />
            )}
            {children(area)}
          </svg>
        )}
        {at !== null && (
          <div className={css.note} aria-hidden="true" style={besides(area, at, names.length)}>
            {note}
          </div>
        )}
      </div>
    </figure>
  );
}

function areaOf(width: number, height: number, most: number, places: number): Area {
  const bottom = height - BOTTOM;
  const band = Math.max(0, width - LEFT - RIGHT) / Math.max(places, 1);
  return {
    width,
    bottom,
    band,
    x: (place) => LEFT + place * band,
    y: (value) => bottom - (value / most) * (bottom - TOP),
  };
}

/** Beside its place; in little room above it, and never beyond the chart. */
function besides({ width, band, x }: Area, place: number, places: number) {
  if (width < NARROW) {
    const part = `${((place + 0.5) / places) * 100}%`;
    return { left: part, transform: `translateX(-${part})` };
  }
  const isLeft = place * 2 < places;
  return isLeft ? { left: x(place) + band + 6 } : { right: width - x(place) + 6 };
}

type AxesProps = Required<Pick<PlotProps, 'ticks' | 'names' | 'marks'>> & { readonly area: Area };

function Axes({ area, ticks, names, marks }: AxesProps) {
  const every = namesApart(Math.max(0, ...names.map(({ length }) => length)), area.band);
  const middle = (place: number) => area.x(place) + area.band / 2;
  return (
    <g className={css.axes} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={area.width - RIGHT} y1={area.y(tick)} y2={area.y(tick)} />
          <text x={LEFT - 8} y={area.y(tick)} dy="0.35em" textAnchor="end">
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {marks.map((place) => (
        <line
          key={place}
          className={css.mark}
          x1={area.x(place)}
          x2={area.x(place)}
          y1={TOP}
          y2={area.bottom + 6}
        />
      ))}
      {names.map((name, place) =>
        place % every === 0 && middle(place) + widthOf(name) / 2 <= area.width ? (
          <text key={place} x={middle(place)} y={area.bottom + 18} textAnchor="middle">
            {name}
          </text>
        ) : null,
      )}
    </g>
  );
}
