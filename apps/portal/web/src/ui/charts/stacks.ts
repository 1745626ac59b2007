export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** Whether it is expected, and not there yet: it opens nothing. */
  readonly isAhead?: boolean;
  /** Series of the same stack stand on each other. */
  readonly stackId?: string;
}

export type ChartRow = Readonly<Record<string, string | number>>;

/** One piece of a bar. */
export interface Piece {
  readonly series: Series;
  /** Which of the bars that stand side by side it belongs to. */
  readonly bar: number;
  readonly from: number;
  readonly value: number;
}

/** Bars that stand side by side: one of all series, or one of each stack. */
export function barsOf(series: readonly Series[], isStacked: boolean): readonly string[] {
  return isStacked ? [''] : [...new Set(series.map(({ name, stackId = name }) => stackId))];
}

/** The pieces of a row, each on top of those before it; what is not positive has none. */
export function piecesOf(
  row: ChartRow,
  series: readonly Series[],
  isStacked: boolean,
): readonly Piece[] {
  const bars = barsOf(series, isStacked);
  const tops = bars.map(() => 0);
  return series.flatMap((one): Piece[] => {
    const value = Number(row[one.name] ?? 0);
    if (!(value > 0)) return [];
    const bar = isStacked ? 0 : bars.indexOf(one.stackId ?? one.name);
    const from = tops[bar] ?? 0;
    tops[bar] = from + value;
    return [{ series: one, bar, from, value }];
  });
}

/** The height of the highest bar. */
export function highest(pieces: readonly (readonly Piece[])[]): number {
  return Math.max(0, ...pieces.flat().map(({ from, value }) => from + value));
}
