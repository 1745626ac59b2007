import type { MigrationInterface, QueryRunner } from 'typeorm';

const ARRAYS = [
  ['lanes', 'int2'],
  ['positions', 'int8'],
  ['heads', 'bytea'],
  ['next_positions', 'int8'],
  ['next_heads', 'bytea'],
  ['event_lanes', 'int2'],
  ['event_positions', 'int8'],
  ['account_ids', 'uuid'],
  ['account_versions', 'int8'],
  ['call_ids', 'uuid'],
  ['types', 'text'],
  ['moments', 'timestamptz'],
  ['data', 'json'],
] as const;

const NAMES = ARRAYS.map(([name]) => name).join(', ');
export const PARAMETERS = ARRAYS.map(([name, type]) => `${name} ${type}[]`).join(', ');

/**
 * The append of a group of lanes, with one of them by itself: a cluster runs the function whole on
 * the server that holds that lane. Its one statement says which lanes it touches.
 */
export class AppendToGroup implements MigrationInterface {
  readonly name = 'AppendToGroup1763700000030';

  async up(runner: QueryRunner): Promise<void> {
    // Writes whole lanes or nothing of them, and answers which. `skip locked` in lane order: a lane
    // that another writer holds is left out instead of waited for, so two writers can never
    // deadlock. What `locked` reads is the newest version of each row, which nobody can move any
    // more; the snapshot of the statement may be older, so only `locked` is compared with what is
    // expected.
    await runner.query(`
      create function append_lanes(group_lane int2, ${PARAMETERS})
        returns int2[] language plpgsql as $$
      declare
        written int2[];
        now timestamptz := clock_timestamp();
      begin
        with locked as materialized (
          select l.lane, l.position, l.head from lane l
           where l.lane = any (lanes) order by l.lane for update skip locked
        ), moved as (
          update lane l set position = e.next_position, head = e.next_head
            from locked k
            join unnest(lanes, positions, heads, next_positions, next_heads)
              as e (lane, position, head, next_position, next_head)
              on e.lane = k.lane and e.position = k.position and e.head = k.head
           where l.lane = k.lane and l.lane = any (lanes)
          returning l.lane, e.position, e.next_position, e.next_head
        ), events as (
          insert into event (lane, position, account_id, account_version, call_id, type, at, data)
          select m.lane, n.position, n.account_id, n.account_version, n.call_id, n.type, n.at, n.data
            from unnest(event_lanes, event_positions, account_ids, account_versions, call_ids,
                        types, moments, data)
              as n (lane, position, account_id, account_version, call_id, type, at, data)
            join moved m on m.lane = n.lane
        ), batches as (
          insert into batch (lane, last_position, events, hash, committed_at)
          select lane, next_position, next_position - position, next_head, now from moved
        )
        select array_agg(lane) into written from moved;
        return coalesce(written, '{}');
      end $$`);
    // The version before calls it so.
    await runner.query(`
      create or replace function append_lanes(${PARAMETERS}) returns int2[] language sql as $$
        select append_lanes(lanes[1], ${NAMES}) $$`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
