import { divideHalfEven } from './rounding.js';
import { SOURCES } from './sources.js';
import { volumeAt, type Series } from './series.js';

/** A change against an earlier span, each part null where it cannot be computed. */
export interface Change {
  /** 100 × (new − old) / old, in ten-thousandths; null where old is 0 or a side has no month. */
  readonly percent: bigint | null;
  /** new − old as a whole number; null where either side has no month. */
  readonly absolute: bigint | null;
}

/** The figures of specification 2.3 of one item in one region, as scaled integers. */
export interface Figures {
  /** Mean volume of the latest twelve months, in ten-thousandths. */
  readonly popularity: bigint;
  readonly yoy: Change;
  readonly qoq: Change;
  readonly mom: Change;
  /**
   * Parts of the volume of the latest twelve months by source, in millionths; null where that is 0.
   */
  readonly shares: readonly (bigint | null)[];
}

/** Sums of a span of months: the mean of its volume is `sum / months`. */
interface Span {
  readonly bySource: readonly bigint[];
  readonly sum: bigint;
  readonly months: bigint;
}

const YEAR = 12;
const QUARTER = 3;
const PERCENT_SCALE = 10_000n;
const SHARE_SCALE = 1_000_000n;
const VOLUME_SCALE = 10_000n;

/**
 * The figures of an item whose region has `newest` as its newest month; null for an item without
 * a month in the latest twelve, which is not ranked. Exact: each figure is rounded once, half even.
 */
export function figuresOf(series: Series, newest: number): Figures | null {
  const latest = spanOf(series, newest, YEAR);
  if (latest.months === 0n) return null;
  return {
    popularity: divideHalfEven(latest.sum, latest.months),
    yoy: changeBetween(latest, spanOf(series, newest - YEAR, YEAR)),
    qoq: changeBetween(spanOf(series, newest, QUARTER), spanOf(series, newest - QUARTER, QUARTER)),
    mom: changeBetween(spanOf(series, newest, 1), spanOf(series, newest - 1, 1)),
    shares: latest.bySource.map((part) =>
      latest.sum === 0n ? null : divideHalfEven(part * SHARE_SCALE, latest.sum),
    ),
  };
}

/** Sums over the months that end with `last`, as many as `length`. */
function spanOf(series: Series, last: number, length: number): Span {
  const bySource = SOURCES.map(() => 0n);
  let sum = 0n;
  let months = 0n;
  for (let index = series.months.length - 1; index >= 0; index -= 1) {
    const month = series.months[index] ?? 0;
    if (month > last) continue;
    if (month <= last - length) break;
    months += 1n;
    sum += volumeAt(series, index);
    series.bySource.forEach((volumes, source) => {
      bySource[source] = (bySource[source] ?? 0n) + (volumes[index] ?? 0n);
    });
  }
  return { bySource, sum, months };
}

/** Both means are brought to one denominator, so that nothing is rounded before the end. */
function changeBetween(latest: Span, before: Span): Change {
  if (latest.months === 0n || before.months === 0n) return { percent: null, absolute: null };
  const difference = latest.sum * before.months - before.sum * latest.months;
  const absolute = divideHalfEven(difference, latest.months * before.months * VOLUME_SCALE);
  if (before.sum === 0n) return { percent: null, absolute };
  const percent = divideHalfEven(100n * PERCENT_SCALE * difference, before.sum * latest.months);
  return { percent, absolute };
}
