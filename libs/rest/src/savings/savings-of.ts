import type { UsageView } from '#projections/views/account-reads.js';
import { asLatest } from '#rating/key-parts.js';

/** A way to spend less. */
export const MEASURES = [
  'caching',
  'conditional_requests',
  'credits_max',
  'fewer_repeats',
] as const;
export type MeasureName = (typeof MEASURES)[number];

/** Calls of a key that a measure would have saved. */
export interface SavedKey {
  readonly key: string;
  readonly calls: number;
  readonly credits: number;
}

export interface Measure {
  readonly measure: MeasureName;
  readonly calls: number;
  readonly credits: number;
  /** The most expensive ones. */
  readonly keys: readonly SavedKey[];
}

const KEYS_MAX = 50;

/** Sums of a month's calls, as they are read. */
export interface MonthSums {
  /** By window, key and kind. */
  readonly byWindow: readonly UsageView[];
  /** By day, key and kind. */
  readonly byDay: readonly UsageView[];
  /** Keys that were called in the windows before those of the month, and in it. */
  readonly called: ReadonlySet<string>;
  /** Release that a window was served. */
  readonly releaseOf: ReadonlyMap<string, string>;
  /** The window before one. */
  readonly windowBefore: (label: string) => string;
}

function total(measure: MeasureName, keys: readonly SavedKey[], isFree = false): Measure {
  const sorted = keys.toSorted((one, other) => other.credits - one.credits);
  return {
    measure,
    calls: keys.reduce((sum, { calls }) => sum + calls, 0),
    credits: isFree ? 0 : keys.reduce((sum, { credits }) => sum + credits, 0),
    keys: sorted.slice(0, KEYS_MAX).map((one) => (isFree ? { ...one, credits: 0 } : one)),
  };
}

function keysOf(sums: readonly UsageView[], kind: 'base' | 'repeat'): SavedKey[] {
  return sums.flatMap(({ key, kind: of, calls, credits_used: credits }) =>
    of === kind && typeof key === 'string' ? [{ key, calls, credits }] : [],
  );
}

/** The same URL in the window before: its key there. */
function keyBefore(key: string, label: string, before: string): string {
  return key.replace(`/v1/${label}/`, `/v1/${before}/`);
}

/** First calls for data that the week before had already, of URLs that were paid for there. */
function unchanged({ byWindow, called, releaseOf, windowBefore }: MonthSums): SavedKey[] {
  return byWindow.flatMap(({ window, key, kind, calls, credits_used: credits }) => {
    if (kind !== 'base' || typeof key !== 'string' || typeof window !== 'string') return [];
    const before = windowBefore(window);
    const release = releaseOf.get(window);
    const isSame = release !== undefined && release === releaseOf.get(before);
    // The data of a past week is another URL, which is paid for once.
    if (!isSame || asLatest(key) === key || !key.includes(`/${window}/`)) return [];
    return called.has(keyBefore(key, window, before)) ? [{ key, calls, credits }] : [];
  });
}

/** Repeats beyond one call of a key a day. */
function beyondOneADay(byDay: readonly UsageView[]): SavedKey[] {
  const bases = new Set(
    byDay.flatMap(({ day, key, kind }) => (kind === 'base' ? [`${day} ${key}`] : [])),
  );
  const sums = new Map<string, SavedKey>();
  for (const { day, key, kind, calls, credits_used: credits } of byDay) {
    if (kind !== 'repeat' || typeof key !== 'string') continue;
    const beyond = bases.has(`${day} ${key}`) ? calls : calls - 1;
    if (beyond === 0) continue;
    const known = sums.get(key) ?? { key, calls: 0, credits: 0 };
    const saved = Math.floor((credits * beyond) / calls);
    sums.set(key, { key, calls: known.calls + beyond, credits: known.credits + saved });
  }
  return [...sums.values()];
}

/** Calls and credits that each measure would have saved of a month. */
export function savingsOf(sums: MonthSums): Measure[] {
  const repeats = keysOf(sums.byWindow, 'repeat');
  return [
    total('caching', repeats),
    total('conditional_requests', repeats, true),
    total('credits_max', unchanged(sums)),
    total('fewer_repeats', beyondOneADay(sums.byDay)),
  ];
}
