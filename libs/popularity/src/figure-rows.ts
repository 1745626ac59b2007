import { figuresOf, type Figures } from './metrics.js';
import type { ItemSeries } from './read-release.js';
import { GLOBAL } from './regions.js';
import { globalSeries, type Series } from './series.js';

/** The figures of one item in one region, `global` included. */
export interface FigureRow {
  readonly item: string;
  readonly region: string;
  readonly figures: Figures;
}

/** The figures of every item in every region where it is ranked, items in the order given. */
export function* figureRows(all: readonly ItemSeries[]): Generator<FigureRow> {
  const newest = newestMonths(all);
  for (const { item, byRegion } of all) {
    for (const [region, series] of withGlobal(byRegion)) {
      const figures = figuresOf(series, newest.get(region) ?? 0);
      if (figures !== null) yield { item, region, figures };
    }
  }
}

/** The newest month of each region; that of `global` among what counts as global. */
function newestMonths(all: readonly ItemSeries[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  const see = (region: string, series: Series | undefined): void => {
    const month = series?.months.at(-1) ?? 0;
    if (month > (newest.get(region) ?? 0)) newest.set(region, month);
  };
  for (const { byRegion } of all) {
    for (const [region, series] of byRegion) {
      see(region, series);
      if (!byRegion.has(GLOBAL)) see(GLOBAL, series);
    }
  }
  return newest;
}

function withGlobal(byRegion: ReadonlyMap<string, Series>): ReadonlyMap<string, Series> {
  const global = globalSeries(byRegion);
  return global === undefined ? byRegion : new Map(byRegion).set(GLOBAL, global);
}
