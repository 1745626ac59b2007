import { EVENT_COLUMNS } from '#event-log/event-row.js';
import type { Stretch } from './account-history.js';
import type { CallFilter } from '../views/account-reads.js';
import { CALL_RECORD, onCall, type CallConditions } from './call-conditions.js';

/** A statement and its values, ready for the driver. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Calls of one account, as the log finds them. */
export interface CallList {
  readonly lane: number;
  readonly accountId: string;
  /** The events among which they are: those of the moments that are asked for. */
  readonly among: Stretch;
  readonly order: CallFilter['order'];
  readonly match: CallConditions;
  /** Ordinal in the account of a grant they drew on. */
  readonly grant: number | null;
}

/** The calls after the one of a version, in the order of the list. */
export function callsQuery(list: CallList, after: number | null, limit: number): Query {
  const values: unknown[] = [list.lane, list.accountId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const found = onCall(list.match, bind);
  const conditions = [...conditionsOf(list, after, bind), ...found];
  return {
    text: `select ${EVENT_COLUMNS} from event e
                  ${found.length === 0 ? '' : `cross join lateral ${CALL_RECORD}`}
            where e.lane = $1 and e.account_id = $2 and e.type = 'CallMade'
              and ${conditions.join(' and ')}
            order by e.account_version ${list.order} limit ${bind(limit)}`,
    values,
  };
}

function conditionsOf(
  { among, order, grant }: CallList,
  after: number | null,
  bind: (value: unknown) => string,
): string[] {
  const ascending = order === 'asc';
  const first = Math.max(among.after, ascending ? (after ?? 0) : 0);
  const last = ascending || after === null ? among.upTo : Math.min(among.upTo, after - 1);
  const conditions = [
    `e.account_version > ${bind(first)}::bigint`,
    `e.account_version <= ${bind(last)}::bigint`,
  ];
  if (grant !== null) conditions.push(drewOn(bind(grant)));
  return conditions;
}

/** Looking for the ordinal in the text first spares most events the reading of their JSON. */
function drewOn(ordinal: string): string {
  return `e.data::text like '%[' || ${ordinal}::int || ',%' and exists (
            select from json_array_elements(e.data -> 'draws') as draw (pair)
             where (pair ->> 0)::int = ${ordinal})`;
}
