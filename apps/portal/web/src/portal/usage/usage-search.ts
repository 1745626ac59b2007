import { isMoment } from '../../format/days.js';
import type { Dimension } from '../../rest/answers.js';

/** Names of the dimensions of usage, in the order of the choice. */
export const DIMENSION_NAMES: Readonly<Record<Dimension, string>> = {
  day: 'Day',
  window: 'Window',
  month: 'Month',
  resource: 'Resource',
  region: 'Region',
  rule: 'Rule',
  kind: 'Kind',
  api_key: 'API key',
  key: 'URL',
  tag: 'Tag',
};

/** One narrowing: only sums of this value. */
export interface Narrowing {
  readonly dimension: Dimension;
  readonly value: string;
}

/** The search of the usage page's address. `by` and `only` are texts, to be readable. */
export interface UsageSearch {
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly only?: string;
  /** Text that the names of the rows hold. */
  readonly q?: string;
  /** A column of the table, with `-` before it the largest first. */
  readonly sort?: string;
  /** `before`: beside the span before. */
  readonly compare?: string;
}

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const found: Record<string, string> = {};
  for (const name of ['from', 'to', 'by', 'only', 'q', 'sort', 'compare']) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
  }
  for (const name of ['from', 'to']) if (!isMoment(found[name] ?? '')) delete found[name];
  return found;
}

function isDimension(name: string): name is Dimension {
  return Object.hasOwn(DIMENSION_NAMES, name);
}

/** `day,kind` → its dimensions; what is none, and what comes twice, is left out. */
export function readBy(by: string | undefined): Dimension[] {
  const found = [...new Set((by ?? '').split(',').filter(isDimension))];
  return found.length > 0 ? found : ['day'];
}

/** `rule:top 5;region:us` */
export function readOnly(only: string | undefined): Narrowing[] {
  return (only ?? '').split(';').flatMap((part) => {
    const colon = part.indexOf(':');
    const dimension = part.slice(0, colon);
    return isDimension(dimension) ? [{ dimension, value: part.slice(colon + 1) }] : [];
  });
}

export function writeOnly(narrowings: readonly Narrowing[]): string {
  return narrowings.map(({ dimension, value }) => `${dimension}:${value}`).join(';');
}
