import { asLatest } from '#rating/key-parts.js';
import { windowOf } from '../../format/days.js';
import type { Narrowing } from './usage-search.js';
import type { Dimension } from '../../rest/answers.js';

/** A call without a tag has none, which is a value too. */
export const NO_VALUE = '–';

/** The series that a key belongs to. */
export function seriesOf(key: string): string {
  return key === NO_VALUE ? key : asLatest(key);
}

/**
 * Whether a value fits a narrowing; a URL without its week stands for all its weeks, and a tag
 * without a value for all of them.
 */
export function fits({ dimension, value }: Narrowing, found: string): boolean {
  if (value === '' && dimension.startsWith('tag:')) return found !== NO_VALUE;
  return found === value || (dimension === 'key' && seriesOf(found) === value);
}

/** A URL of one week, where the other narrowings say which; else undefined. */
export function keyOfWeek(url: string, narrowings: readonly Narrowing[]): string | undefined {
  if (seriesOf(url) !== url) return url;
  const valueOf = (name: Dimension): string | undefined =>
    narrowings.find(({ dimension }) => dimension === name)?.value;
  const day = valueOf('day');
  const label = valueOf('window') ?? (day === undefined ? undefined : windowOf(day));
  return label === undefined ? undefined : url.replace('/v1/latest/', `/v1/${label}/`);
}
