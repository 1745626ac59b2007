import type pg from 'pg';
import type { PlannedLane } from './append-plan.js';
import {
  byteaArray,
  int2Array,
  int8Array,
  jsonArray,
  momentArray,
  textArray,
  uuidArray,
} from './binary-array.js';

/**
 * Writes whole lanes or nothing of them, and answers which. `skip locked` in lane order: a lane
 * that another writer holds is left out instead of waited for, so two writers can never deadlock.
 * What `locked` reads is the newest version of each row, which nobody can move any more; the
 * snapshot of the statement may be older, so only `locked` is compared with what is expected.
 */
const APPEND = `
with expected as (
  select * from unnest($1::int2[], $2::int8[], $3::bytea[], $4::int8[], $5::bytea[])
    as e (lane, position, head, next_position, next_head)
), locked as materialized (
  select lane, position, head from lane where lane = any ($1) order by lane for update skip locked
), moved as (
  update lane l set position = e.next_position, head = e.next_head
    from locked k join expected e on e.lane = k.lane and e.position = k.position and e.head = k.head
   where l.lane = k.lane
  returning l.lane
), inserted as (
  insert into event (lane, position, account_id, account_version, call_id, type, at, data)
  select * from unnest($6::int2[], $7::int8[], $8::uuid[], $9::int8[], $10::uuid[], $11::text[],
                       $12::timestamptz[], $13::json[]) as n (lane)
   where n.lane in (select lane from moved)
), closed as (
  insert into batch (lane, last_position, events, hash)
  select e.lane, e.next_position, e.next_position - e.position, e.next_head
    from expected e where e.lane in (select lane from moved)
)
select lane from moved`;

/** The statement that appends these lanes, in the order given, ready to be sent. */
export function appendStatement(lanes: readonly PlannedLane[]): pg.QueryConfig {
  const events = lanes.flatMap((lane) => lane.events);
  const laneOfEvent = lanes.flatMap(({ to, events: own }) => own.map(() => to.lane));
  const positions = lanes.flatMap(({ from, events: own }) =>
    own.map((_, index) => from.position + index + 1),
  );
  return {
    name: 'event-log-append',
    text: APPEND,
    values: [
      int2Array(lanes.map(({ from }) => from.lane)),
      int8Array(lanes.map(({ from }) => from.position)),
      byteaArray(lanes.map(({ from }) => from.head)),
      int8Array(lanes.map(({ to }) => to.position)),
      byteaArray(lanes.map(({ to }) => to.head)),
      int2Array(laneOfEvent),
      int8Array(positions),
      uuidArray(events.map(({ accountId }) => accountId)),
      int8Array(events.map(({ accountVersion }) => accountVersion)),
      uuidArray(events.map(({ callId }) => callId)),
      textArray(events.map(({ type }) => type)),
      momentArray(events.map(({ at }) => at)),
      jsonArray(events.map(({ data }) => data)),
    ],
  };
}
