import { EVENT_COLUMNS } from '#event-log/event-row.js';
import type { CallFilter } from './account-reads.js';
import { decodeNumberCursor } from './cursor.js';

/** A statement and its values, ready for the driver. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The log's calls of one account that pass a filter, in the order of the account. `apiKey` is the
 * ordinal that the filter's key has in the account. One more row than the page holds is asked for.
 */
export function callsQuery(
  lane: number,
  accountId: string,
  filter: CallFilter,
  apiKey: number | null,
): Query {
  const values: unknown[] = [lane, accountId];
  const conditions = [`e.lane = $1`, `e.account_id = $2`, `e.type = 'CallMade'`];
  const where = (value: unknown, condition: (parameter: string) => string): void => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  const ascending = filter.order === 'asc';
  where(filter.after && decodeNumberCursor(filter.after), (after) =>
    ascending ? `e.account_version > ${after}` : `e.account_version < ${after}`,
  );
  where(filter.from, (from) => `e.at >= to_timestamp(${from}::bigint / 1000.0)`);
  where(filter.to, (to) => `e.at < to_timestamp(${to}::bigint / 1000.0)`);
  where(filter.resourceKey, (key) => `e.data ->> 'key' = ${key}`);
  where(filter.kind, (kind) => `e.data ->> 'kind' = ${kind}`);
  where(apiKey, (ordinal) => `(e.data ->> 'api_key')::int = ${ordinal}`);
  if (filter.tag !== null) {
    const name = `$${values.push(filter.tag.name)}`;
    where(filter.tag.value, (value) => `e.data -> 'tags' ->> ${name} = ${value}`);
    if (filter.tag.value === null) conditions.push(`e.data -> 'tags' ->> ${name} is not null`);
  }
  const limit = `$${values.push(filter.limit + 1)}`;
  return {
    text: `select ${EVENT_COLUMNS} from event e where ${conditions.join(' and ')}
            order by e.account_version ${ascending ? 'asc' : 'desc'} limit ${limit}`,
    values,
  };
}
