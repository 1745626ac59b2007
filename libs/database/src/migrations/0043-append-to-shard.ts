import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PARAMETERS } from './0030-append-to-group.js';

const EVENTS = [
  'event_lanes',
  'event_positions',
  'account_ids',
  'account_versions',
  'call_ids',
  'types',
  'moments',
  'data',
];
const BATCHES = ['lanes', 'positions', 'next_positions', 'next_heads'];

/** `values`: of the events, then the lanes that are written. */
function insertEvents(table: string, values: readonly string[]): string {
  return `
    insert into ${table} (lane, position, account_id, account_version, call_id, type, at, data)
    select * from unnest(${values.slice(0, -1).join()}) as n (lane) where n.lane = any (${values.at(-1)})`;
}

/** `values`: of the batches, then the lanes that are written, and the time. */
function insertBatches(table: string, values: readonly string[]): string {
  return `
    insert into ${table} (lane, last_position, events, hash, committed_at)
    select e.lane, e.next_position, e.next_position - e.position, e.next_head, ${values.at(-1)}
      from unnest(${values.slice(0, -2).join()}) as e (lane, position, next_position, next_head)
     where e.lane = any (${values.at(-2)})`;
}

/** A statement that is given a name of a table and values. */
function executed(
  insert: (table: string, values: readonly string[]) => string,
  table: string,
  values: readonly string[],
): string {
  const places = values.map((_, index) => `$${index + 1}`);
  return `execute format($insert$${insert('%s', places)}$insert$, ${table}) using ${values.join()}`;
}

/**
 * Of a cluster, what is inserted goes by its table's name into the shard that lies there. Through
 * the table the cluster would write all rows out, read them again and look for the shard of each.
 */
export class AppendToShard implements MigrationInterface {
  readonly name = 'AppendToShard1763700000043';

  async up(runner: QueryRunner): Promise<void> {
    const events = [...EVENTS, 'written'];
    const batches = [...BATCHES, 'written', 'now'];
    // Writes whole lanes or nothing of them, and answers which. `skip locked` in lane order: a lane
    // that another writer holds is left out instead of waited for, so two writers can never
    // deadlock. What `locked` reads is the newest version of each row, which nobody can move any
    // more; the snapshot of the statement may be older, so only `locked` is compared with what is
    // expected.
    //
    // With the rows of the lanes the cluster also locks where their shard lies, until the commit:
    // no move or split ends meanwhile. What is read after that of where it lies stays true, and
    // where it lies elsewhere by then, the cluster sends the rows there.
    await runner.query(`
      create or replace function append_lanes(group_lane int2, ${PARAMETERS})
        returns int2[] language plpgsql as $$
      declare
        now timestamptz := clock_timestamp();
        moved int2;
        written int2[] := '{}';
        event_shard text;
        batch_shard text;
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
        if written = '{}' then
          return written;
        end if;
        if to_regclass('pg_dist_partition') is not null then
          select shard_name('event', p.shardid),
                 shard_name('batch', get_shard_id_for_distribution_column('batch', group_lane))
            into event_shard, batch_shard
            from pg_dist_partition t
            join pg_dist_placement p
              on p.shardid = get_shard_id_for_distribution_column(t.logicalrelid, group_lane)
            join pg_dist_local_group here on here.groupid = p.groupid
           where t.logicalrelid = to_regclass('event');
        end if;
        if event_shard is null then
          ${insertEvents('event', events)};
          ${insertBatches('batch', batches)};
        else
          ${executed(insertEvents, 'event_shard', events)};
          ${executed(insertBatches, 'batch_shard', batches)};
        end if;
        return written;
      end $$`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
