import { addDays, tuesdayOf, windowOf } from '../../format/days.js';
import { asLatest } from '../../format/resource-path.js';
import type { Usage } from '../../rest/answers.js';

/** What one URL cost in one window. `base`: credits of first calls; 0: its data was paid before. */
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

/** One row a URL, one cell a window in which it was called; the dearest URLs first. */
export function stripOf(usage: readonly Usage[]): StripRow[] {
  const rows = new Map<string, { cells: Map<string, StripCell>; credits: number }>();
  for (const { key, window, kind, calls, credits_used: credits } of usage) {
    if (!key || !window) continue;
    const path = asLatest(key);
    const row = rows.get(path) ?? { cells: new Map<string, StripCell>(), credits: 0 };
    const cell = row.cells.get(window) ?? { base: 0, repeats: 0, credits: 0 };
    row.cells.set(window, {
      base: cell.base + (kind === 'base' ? credits : 0),
      repeats: cell.repeats + (kind === 'repeat' ? calls : 0),
      credits: cell.credits + credits,
    });
    row.credits += credits;
    rows.set(path, row);
  }
  return [...rows]
    .map(([path, row]) => ({ path, ...row }))
    .sort((one, other) => other.credits - one.credits);
}
