import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The append as a function: one round trip for all lanes of a group. It runs with the caller's
 * rights, so it opens nothing that the caller could not do.
 */
export class AppendLanes implements MigrationInterface {
  readonly name = 'AppendLanes1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    // Writes whole lanes or nothing of them, and answers which. `skip locked` in lane order: a lane
    // that another writer holds is left out instead of waited for, so two writers can never
    // deadlock. What `locked` reads is the newest version of each row, which nobody can move any
    // more; the snapshot of the statement may be older, so only `locked` is compared with what is
    // expected.
    await runner.query(`
      create function append_lanes(
        lanes int2[], positions int8[], heads bytea[], next_positions int8[], next_heads bytea[],
        event_lanes int2[], event_positions int8[], account_ids uuid[], account_versions int8[],
        call_ids uuid[], types text[], moments timestamptz[], data json[]
      ) returns int2[] language plpgsql as $$
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
           where l.lane = k.lane
          returning l.lane
        )
        select array_agg(m.lane) into written from moved m;
        insert into event (lane, position, account_id, account_version, call_id, type, at, data)
        select * from unnest(event_lanes, event_positions, account_ids, account_versions, call_ids,
                             types, moments, data) as n (lane)
         where n.lane = any (written);
        insert into batch (lane, last_position, events, hash, committed_at)
        select e.lane, e.next_position, e.next_position - e.position, e.next_head, now
          from unnest(lanes, positions, next_positions, next_heads)
            as e (lane, position, next_position, next_head)
         where e.lane = any (written);
        return coalesce(written, '{}');
      end $$`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
