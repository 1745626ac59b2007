import { asLatest } from '#rating/key-parts.js';
import type { Savings } from '../../rest/answers.js';

/** Credits of one URL that would have been saved. */
export interface SavedUrl {
  readonly path: string;
  /** By a cache. */
  readonly repeats: number;
  /** By Credits-Max: first calls for data that had not changed. */
  readonly unchanged: number;
}

/** Credits of a measure, of all its URLs. */
export function savedBy(savings: Savings, name: Savings['measures'][0]['measure']): number {
  return savings.measures.find(({ measure }) => measure === name)?.credits ?? 0;
}

/**
 * One row a URL of all its weeks, the most expensive first. Repeats and first calls are different
 * calls, so that both add up; other measures save a part of the same repeats.
 */
export function savedUrls({ measures }: Savings): SavedUrl[] {
  const urls = new Map<string, SavedUrl>();
  for (const { measure, keys } of measures) {
    if (measure !== 'caching' && measure !== 'credits_max') continue;
    for (const { key, credits } of keys) {
      const path = asLatest(key);
      const known = urls.get(path) ?? { path, repeats: 0, unchanged: 0 };
      const part = measure === 'caching' ? 'repeats' : 'unchanged';
      urls.set(path, { ...known, [part]: known[part] + credits });
    }
  }
  return [...urls.values()].sort((one, other) => creditsOf(other) - creditsOf(one));
}

/** Credits that both save of a URL. */
export function creditsOf({ repeats, unchanged }: SavedUrl): number {
  return repeats + unchanged;
}
