import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PARAMETERS } from './0030-append-to-group.js';

/**
 * The append in statements that a cluster each runs where the lanes lie. Of a statement that hands
 * rows from one of its parts to another one, a cluster sends these rows to all servers, and commits
 * it in two phases on all of them.
 */
export class AppendInPlace implements MigrationInterface {
  readonly name = 'AppendInPlace1763700000037';

  async up(runner: QueryRunner): Promise<void> {
    // Writes whole lanes or nothing of them, and answers which. `skip locked` in lane order: a lane
    // that another writer holds is left out instead of waited for, so two writers can never
    // deadlock. What `locked` reads is the newest version of each row, which nobody can move any
    // more; the snapshot of the statement may be older, so only `locked` is compared with what is
    // expected.
    await runner.query(`
      create or replace function append_lanes(group_lane int2, ${PARAMETERS})
        returns int2[] language plpgsql as $$
      declare
        now timestamptz := clock_timestamp();
        moved int2;
        written int2[] := '{}';
      begin
        for moved in
          update lane l set position = e.next_position, head = e.next_head
            from (select l.lane, l.position, l.head from lane l
                   where l.lane = any (lanes) order by l.lane for update skip locked) as locked
            join unnest(lanes, positions, heads, next_positions, next_heads)
              as e (lane, position, head, next_position, next_head)
              on e.lane = locked.lane and e.position = locked.position and e.head = locked.head
           where l.lane = locked.lane and l.lane = any (lanes)
          returning l.lane
        loop
          written := written || moved;
        end loop;
        insert into event (lane, position, account_id, account_version, call_id, type, at, data)
        select * from unnest(event_lanes, event_positions, account_ids, account_versions, call_ids,
                             types, moments, data) as n (lane)
         where n.lane = any (written);
        insert into batch (lane, last_position, events, hash, committed_at)
        select e.lane, e.next_position, e.next_position - e.position, e.next_head, now
          from unnest(lanes, positions, next_positions, next_heads)
            as e (lane, position, next_position, next_head)
         where e.lane = any (written);
        return written;
      end $$`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
