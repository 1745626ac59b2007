import { REGION_OF_CALL, RESOURCE_OF_CALL } from '../projections/key-columns.js';
import type { CallMatch } from '../views/account-reads.js';

/** A `CallMatch` with API key and tag as the events of the account hold them. */
export interface CallConditions extends Omit<CallMatch, 'apiKeyId' | 'tag'> {
  /** Ordinal in the account of the API key that they were made with. */
  readonly apiKey: number | null;
  /** Any of these; null: whether there are tags or not. */
  readonly tags: readonly NonNullable<CallMatch['tag']>[] | null;
}

/** Every call meets them. */
export const ANY_CALL: CallConditions = {
  resourceKey: null,
  resource: null,
  region: null,
  rule: null,
  kind: null,
  apiKey: null,
  tags: null,
};

/** The members of a call's data that conditions and sums look at. */
export const CALL_RECORD = `json_to_record(e.data)
  as c (key text, "window" text, rule text, kind text, api_key int, cost json, tags json)`;

type Bind = (value: unknown) => string;

/** Conditions on the record `c` of a call's data. */
export function onCall({ resourceKey, tags, ...match }: CallConditions, bind: Bind): string[] {
  const columns = { resource: RESOURCE_OF_CALL, region: REGION_OF_CALL, of: 'c' };
  return [
    ...(resourceKey === null ? [] : [`c.key = ${bind(resourceKey)}`]),
    ...onColumns(match, columns, bind),
    ...(tags === null ? [] : [`(${tags.map((tag) => hasTag(tag, bind)).join(' or ')})`]),
  ];
}

/** The same on a sum `u` of a row of `day_usage`, which knows no keys and no tags. */
export function onDay(match: CallConditions, bind: Bind): string[] {
  return onColumns(match, { resource: 'u.resource', region: 'u.region', of: 'u' }, bind);
}

/** Whether the rows of days cannot say which calls meet them. */
export function needsCalls({ resourceKey, tags }: CallConditions): boolean {
  return resourceKey !== null || tags !== null;
}

function onColumns(
  { resource, region, rule, kind, apiKey }: Omit<CallConditions, 'resourceKey' | 'tags'>,
  columns: { readonly resource: string; readonly region: string; readonly of: string },
  bind: Bind,
): string[] {
  const wanted = [
    [columns.resource, resource],
    [columns.region, region],
    [`${columns.of}.rule`, rule],
    [`${columns.of}.kind`, kind],
    [`${columns.of}.api_key`, apiKey],
  ] as const;
  return wanted.flatMap(([column, value]) =>
    value === null ? [] : [`${column} = ${bind(value)}`],
  );
}

function hasTag({ name, value }: NonNullable<CallMatch['tag']>, bind: Bind): string {
  const found = `c.tags ->> ${bind(name)}`;
  return value === null ? `${found} is not null` : `${found} = ${bind(value)}`;
}
