import type { SumsDimension } from '../views/account-reads.js';
import { REGION_OF_CALL, RESOURCE_OF_CALL, WINDOW_OF_CALL } from '../projections/key-columns.js';

type RowDimension = Exclude<SumsDimension, 'key' | 'tag' | 'tags'>;

/** Whether only single calls know it: the rows of days hold no keys and no tags. */
export function isOfCalls(dimension: SumsDimension): dimension is 'key' | 'tag' | 'tags' {
  return dimension === 'key' || isOfTags(dimension);
}

/** Whether it is a text that may be encrypted. */
export function isOfTags(dimension: SumsDimension): dimension is 'tag' | 'tags' {
  return dimension === 'tag' || dimension === 'tags';
}

/** Parameters of a statement that the expressions below stand on, like `$7`. */
export interface DimensionParameters {
  /** text[]: ids of the account's API keys by ordinal. */
  readonly apiKeys: string;
  /** timestamptz[] and text[]: starts and labels of days, ascending. */
  readonly dayStarts: string;
  readonly dayLabels: string;
}

/** A dimension of a sum `u` of a row `d` of `day_usage`. */
export function ofRow(dimension: SumsDimension, parameters: DimensionParameters): string {
  if (isOfCalls(dimension)) throw new Error(`The rows of days know no ${dimension}.`);
  const expressions: Record<RowDimension, string> = {
    day: 'd.day',
    window: 'd.window_label',
    month: 'left(d.day, 7)',
    resource: 'u.resource',
    region: 'u.region',
    rule: 'u.rule',
    kind: 'u.kind',
    api_key: `(${parameters.apiKeys}::text[])[u.api_key]`,
  };
  return expressions[dimension];
}

/**
 * The same dimension of a call: `e.at` is its moment, `c` the record of its data, `t` one of its
 * tags.
 */
export function ofCall(dimension: SumsDimension, parameters: DimensionParameters): string {
  const { apiKeys, dayStarts, dayLabels } = parameters;
  const day = `(${dayLabels}::text[])[width_bucket(e.at, ${dayStarts}::timestamptz[])]`;
  const expressions: Record<SumsDimension, string> = {
    day,
    window: WINDOW_OF_CALL,
    month: `left(${day}, 7)`,
    resource: RESOURCE_OF_CALL,
    region: REGION_OF_CALL,
    rule: 'c.rule',
    kind: 'c.kind',
    api_key: `(${apiKeys}::text[])[c.api_key]`,
    key: 'c.key',
    tag: `coalesce(t.name || '=' || t.value, '')`,
    tags: `coalesce(nullif(c.tags::text, '{}'), '')`,
  };
  return expressions[dimension];
}
