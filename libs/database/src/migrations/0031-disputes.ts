import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The disputes of all accounts: where their events stand, and what is still open. */
export class Disputes implements MigrationInterface {
  readonly name = 'Disputes1763700000031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table dispute (
        lane smallint not null,
        account_id uuid not null,
        id uuid not null,
        position bigint not null,
        opened_at timestamptz not null,
        call_ids uuid[] not null,
        resolved_position bigint,
        status text collate "C" not null default 'open',
        is_resolved boolean generated always as (status <> 'open') stored,
        primary key (lane, id)
      );
      create index dispute_queue on dispute (is_resolved, opened_at, id);
      create index dispute_of on dispute (account_id, is_resolved, opened_at, id)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
