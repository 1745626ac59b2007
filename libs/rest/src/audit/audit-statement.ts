import { momentOfMs } from '#database/moment-of.js';
import type { AuditQuery } from './audit-query.js';
import { comparisonFor } from '#projections/views/pages.js';

/** Counted sign-ins stand in no lane of the log: among entries of one moment they come last. */
export const SIGN_INS_LANE = 65;

/**
 * Entries of the log and counted sign-ins, in the order of an index each, whichever filter there
 * is. Parameters: limit, by, account, from, to; then `at`, `lane` and `position` of a place behind
 * which it goes on.
 */
export function auditStatements(order: AuditQuery['order'], goesOn: boolean) {
  const sorted = `order by at ${order}, lane ${order}, position ${order} limit $1`;
  const after = comparisonFor(order);
  const place = goesOn
    ? `and at ${after}= ${momentOfMs('$6')}
       and (at, lane, position) ${after} (${momentOfMs('$6')}, $7::int2, $8::int8)`
    : '';
  const fitting = `where ($2::text is null or token_id = $2)
                     and ($3::uuid is null or account_id = $3)
                     and ($4::float8 is null or at >= ${momentOfMs('$4')})
                     and ($5::float8 is null or at < ${momentOfMs('$5')})
                     ${place}`;
  const at = '(extract(epoch from a.at) * 1000)::int8 as at';
  return {
    entries: `
      select a.lane, a.position, ${at}, a.account_id, a.type, a.token_id,
             e.data::text as data, (date_part('epoch', e.at) * 1000)::int8 as account_at
        from (select * from audit_entry ${fitting} ${sorted}) as a
        left join event e on e.lane = a.lane and e.position = a.position
       order by a.at ${order}, a.lane ${order}, a.position ${order}`,
    signIns: `select a.lane, a.position, ${at}, a.account_id, a.type, a.token_id, a.data,
                     null::int8 as account_at
                from (select * from (${SIGN_INS}) as s ${fitting} ${sorted}) as a
               order by a.at ${order}, a.lane ${order}, a.position ${order}`,
  };
}

const SIGN_INS = `select ${SIGN_INS_LANE}::int2 as lane, position, at, account_id, outcome as type,
  nullif(subject, '') as token_id,
  json_strip_nulls(json_build_object('door', door, 'address', address, 'route', route,
    'times', times))::text as data
  from sign_in_record`;
