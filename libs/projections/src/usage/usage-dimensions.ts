import {
  isTag,
  tagNameOf,
  type TagDimension,
  type UsageDimension,
} from '../views/usage-dimension.js';
import { REGION_OF_CALL, RESOURCE_OF_CALL, WINDOW_OF_CALL } from '../projections/key-columns.js';

/** Sums over all accounts are also by account. */
export type SumDimension = UsageDimension | 'account';

type CallDimension = 'key' | 'tags' | TagDimension;
type RowDimension = Exclude<SumDimension, CallDimension>;

/** Whether only single calls know it: the rows of days hold no keys and no tags. */
export function isOfCalls(dimension: SumDimension): dimension is CallDimension {
  return dimension === 'key' || isOfTags(dimension);
}

/** Whether it is made of tags, whose texts may be encrypted. */
export function isOfTags(dimension: SumDimension): dimension is 'tags' | TagDimension {
  return dimension === 'tags' || isTag(dimension);
}

/** Parameters of a statement that the expressions below stand on, like `$7`. */
export interface DimensionParameters {
  /** text[]: ids of the account's API keys by ordinal. */
  readonly apiKeys: string;
  /** timestamptz[] and text[]: starts and labels of days, ascending. */
  readonly dayStarts: string;
  readonly dayLabels: string;
  /** text[] for the name of each tag that is grouped by: how calls may hold it. */
  readonly tagNames: ReadonlyMap<string, string>;
}

/** A dimension of a sum `u` of a row `d` of `day_usage`. */
export function ofRow(dimension: SumDimension, parameters: DimensionParameters): string {
  if (isOfCalls(dimension)) throw new Error(`The rows of days know no ${dimension}.`);
  const expressions: Record<RowDimension, string> = {
    account: 'd.account_id::text',
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
 * The same dimension of a call: `e.at` is its moment, `c` the record of its data. Tags are an
 * object as the call holds them; empty: none.
 */
export function ofCall(dimension: SumDimension, parameters: DimensionParameters): string {
  const { apiKeys, dayStarts, dayLabels, tagNames } = parameters;
  if (isTag(dimension)) {
    const names = tagNames.get(tagNameOf(dimension)) ?? 'null';
    return `coalesce((select json_build_object(t.name, t.value)::text
                        from json_each_text(c.tags) as t (name, value)
                       where t.name = any(${names}::text[]) limit 1), '')`;
  }
  const day = `(${dayLabels}::text[])[width_bucket(e.at, ${dayStarts}::timestamptz[])]`;
  const expressions: Record<Exclude<SumDimension, TagDimension>, string> = {
    account: 'e.account_id::text',
    day,
    window: WINDOW_OF_CALL,
    month: `left(${day}, 7)`,
    resource: RESOURCE_OF_CALL,
    region: REGION_OF_CALL,
    rule: 'c.rule',
    kind: 'c.kind',
    api_key: `(${apiKeys}::text[])[c.api_key]`,
    key: 'c.key',
    tags: `coalesce(nullif(c.tags::text, '{}'), '')`,
  };
  return expressions[dimension];
}
