import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log. The keys begin with the lane so that lanes can live on several servers one day, and the
 * wide columns of an event come first so that no tuple is padded. Its lanes are fixed for ever.
 */
export class EventLog implements MigrationInterface {
  readonly name = 'EventLog1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    // Lanes and checkpoints are updated all the time: free space on the page keeps that in place.
    await runner.query(`
      create table lane (
        lane smallint primary key check (lane between 0 and 64),
        position bigint not null check (position >= 0),
        head bytea not null check (length(head) = 32)
      ) with (fillfactor = 20)`);
    await runner.query(`
      insert into lane (lane, position, head)
      select lane, 0, decode(repeat('00', 32), 'hex') from generate_series(0, 64) as lane`);
    await runner.query(`
      create table event (
        position bigint not null check (position > 0),
        account_version bigint not null check (account_version > 0),
        at timestamptz not null,
        account_id uuid not null,
        call_id uuid,
        lane smallint not null,
        type text not null,
        data json not null,
        primary key (lane, position),
        constraint event_call_id unique (lane, call_id),
        constraint event_account_version unique (lane, account_id, account_version)
      )`);
    await runner.query(`
      create table batch (
        last_position bigint not null,
        committed_at timestamptz not null default clock_timestamp(),
        events integer not null check (events > 0),
        lane smallint not null,
        hash bytea not null check (length(hash) = 32),
        primary key (lane, last_position)
      )`);
    await runner.query(`
      create table checkpoint (
        projection text not null,
        position bigint not null check (position >= 0),
        version integer not null default 1,
        lane smallint not null,
        primary key (projection, lane)
      ) with (fillfactor = 20)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add: the log is never dropped.');
  }
}
