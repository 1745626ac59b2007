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

const APPEND = `select append_lanes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) as written`;

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
      lanes[0]?.from.lane,
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
