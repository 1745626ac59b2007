/** Dimensions of usage, by their names in `by` and in the answer. */
export const USAGE_DIMENSIONS = [
  'day',
  'window',
  'month',
  'resource',
  'region',
  'rule',
  'kind',
  'api_key',
  'key',
  'tags',
] as const;

/** `tag:team`: the value of one tag. */
export type TagDimension = `tag:${string}`;
/** `tags`: all tags of a call together. A call has one value of each, so sums add up. */
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number] | TagDimension;

/** Whether it is the value of one tag. */
export function isTag(dimension: UsageDimension | 'account'): dimension is TagDimension {
  return dimension.startsWith('tag:');
}

export function tagNameOf(dimension: TagDimension): string {
  return dimension.slice('tag:'.length);
}
