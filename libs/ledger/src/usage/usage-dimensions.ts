import type { UsageDimension } from '../views/account-reads.js';
import { REGION_OF_CALL, RESOURCE_OF_CALL, WINDOW_OF_CALL } from '../projections/key-columns.js';

type RowDimension = Exclude<UsageDimension, 'key' | 'tag'>;

/** Whether only single calls know it: the rows of days hold no keys and no tags. */
export function isOfCalls(dimension: UsageDimension): dimension is 'key' | 'tag' {
  return dimension === 'key' || dimension === 'tag';
}

/** Parameters of a statement that the expressions below stand on, like `$7`. */
export interface DimensionParameters {
  /** text[]: ids of the account's API keys by ordinal. */
  readonly apiKeys: string;
  /** timestamptz[] and text[]: starts and labels of days, ascending. */
  readonly dayStarts: string;
  readonly dayLabels: string;
}

/** A dimension of a row `u` of `usage_day`. */
export function ofRow(dimension: UsageDimension, parameters: DimensionParameters): string {
  if (isOfCalls(dimension)) throw new Error(`The rows of days know no ${dimension}.`);
  const expressions: Record<RowDimension, string> = {
    day: 'u.day',
    window: 'u.window_label',
    month: 'left(u.day, 7)',
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
export function ofCall(dimension: UsageDimension, parameters: DimensionParameters): string {
  const { apiKeys, dayStarts, dayLabels } = parameters;
  const day = `(${dayLabels}::text[])[width_bucket(e.at, ${dayStarts}::timestamptz[])]`;
  const expressions: Record<UsageDimension, string> = {
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
  };
  return expressions[dimension];
}
