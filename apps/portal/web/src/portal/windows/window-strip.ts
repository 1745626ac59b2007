import { addDays, tuesdayOf, windowOf } from '../../format/days.js';
import { asLatest } from '#rating/key-parts.js';
import type { Usage, WindowKey } from '../../rest/answers.js';

/** Cost of one URL in one window. `base`: credits of first calls; 0: its data was paid before. */
export interface StripCell {
  readonly base: number;
  readonly repeats: number;
  readonly credits: number;
}

export interface StripRow {
  /** The path with `latest`: the same URL in every window. */
  readonly path: string;
  readonly cells: ReadonlyMap<string, StripCell>;
  readonly credits: number;
}

/** The labels of this many windows up to one, oldest first. */
export function windowsUpTo(label: string, count: number): string[] {
  const last = tuesdayOf(label);
  return Array.from({ length: count }, (_, index) =>
    windowOf(addDays(last, -7 * (count - 1 - index))),
  );
}

/**
 * One row a URL, one cell a window in which it was called; the dearest URLs first. `sums` by window
 * and kind give the price of a repeat in each window.
 */
export function stripOf(keys: readonly WindowKey[], sums: readonly Usage[]): StripRow[] {
  const repeatCosts = repeatCostsOf(sums);
  const rows = new Map<string, { cells: Map<string, StripCell>; credits: number }>();
  for (const called of keys) {
    const { window, credits_used: credits } = called;
    const path = asLatest(called.key);
    const row = rows.get(path) ?? { cells: new Map<string, StripCell>(), credits: 0 };
    const cell = row.cells.get(window) ?? { base: 0, repeats: 0, credits: 0 };
    const { base, repeats } = kindsOf(called, repeatCosts.get(window) ?? 0);
    row.cells.set(window, {
      base: cell.base + base,
      repeats: cell.repeats + repeats,
      credits: cell.credits + credits,
    });
    row.credits += credits;
    rows.set(path, row);
  }
  return [...rows]
    .map(([path, row]) => ({ path, ...row }))
    .sort((one, other) => other.credits - one.credits);
}

/** Credits of each window, of all its URLs. */
export function weekSums(sums: readonly Usage[]): ReadonlyMap<string, number> {
  const credits = new Map<string, number>();
  for (const { window, credits_used: used } of sums) {
    if (window) credits.set(window, (credits.get(window) ?? 0) + used);
  }
  return credits;
}

/** Price of one repeat, in credits, by window; windows without a repeat are absent. */
function repeatCostsOf(sums: readonly Usage[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { window, kind, calls, credits_used: credits } of sums) {
    if (window && kind === 'repeat' && calls > 0) costs.set(window, credits / calls);
  }
  return costs;
}

/** A key's first call in its own week paid its base; in a later week if repeats cost less. */
function kindsOf(called: WindowKey, repeatCost: number): Omit<StripCell, 'credits'> {
  const { key, window, calls, credits_used: credits } = called;
  const hasPaid = key.startsWith(`/v1/${window}/`) || credits > calls * repeatCost;
  if (!hasPaid) return { base: 0, repeats: calls };
  return { base: Math.round(credits - (calls - 1) * repeatCost), repeats: calls - 1 };
}
