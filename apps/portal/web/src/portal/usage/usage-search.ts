import { isMoment } from '../../format/days.js';
import type { Dimension } from '../../rest/answers.js';

/** `tag:team`: the value of one tag. */
export type TagDimension = Extract<Dimension, `tag:${string}`>;

export function isTag(dimension: Dimension): dimension is TagDimension {
  return dimension.startsWith('tag:');
}

export function tagNameOf(dimension: TagDimension): string {
  return dimension.slice('tag:'.length);
}

/** Names of the dimensions of usage, in the order of the choice. */
const NAMES: Readonly<Record<Exclude<Dimension, TagDimension>, string>> = {
  day: 'Day',
  window: 'Week',
  month: 'Month',
  resource: 'Resource',
  region: 'Region',
  rule: 'Rule',
  kind: 'Kind',
  api_key: 'API key',
  key: 'URL',
  tags: 'All tags',
};

export const DIMENSIONS = Object.keys(NAMES) as readonly Exclude<Dimension, TagDimension>[];

/** A dimension as people read it. */
export function dimensionName(dimension: Dimension): string {
  return isTag(dimension) ? `Tag ${tagNameOf(dimension)}` : NAMES[dimension];
}

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
  /** `none`: without the period before. */
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
  return Object.hasOwn(NAMES, name) || TAG.test(name);
}

const TAG = /^tag:[a-z0-9_-]{1,32}$/;

/** `day,kind` → its dimensions; what is none, and what comes twice, is left out. */
export function readBy(by: string | undefined): Dimension[] {
  const names = (by ?? '').split(',').map((name) => (name === 'tag' ? 'tags' : name));
  const found = [...new Set(names.filter(isDimension))];
  return found.length > 0 ? found : ['day'];
}

/** `rule:top 5;region:us;tag:team=nails`; of a tag alone any value. */
export function readOnly(only: string | undefined): Narrowing[] {
  return (only ?? '').split(';').flatMap((part) => {
    const isOfTag = part.startsWith('tag:');
    const [dimension, value] = cut(part, isOfTag ? '=' : ':');
    return isDimension(dimension) && (isOfTag || value !== '') ? [{ dimension, value }] : [];
  });
}

/** A text before and after its first mark. */
function cut(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export function writeOnly(narrowings: readonly Narrowing[]): string {
  return narrowings.map(writeNarrowing).join(';');
}

function writeNarrowing({ dimension, value }: Narrowing): string {
  if (!isTag(dimension)) return `${dimension}:${value}`;
  return value === '' ? dimension : `${dimension}=${value}`;
}
