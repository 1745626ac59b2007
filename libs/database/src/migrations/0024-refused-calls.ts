import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls that were refused, counted by the hour: at most so many rows of an account. */
export class RefusedCalls implements MigrationInterface {
  readonly name = 'RefusedCalls1763700000024';

  async up(runner: QueryRunner): Promise<void> {
    // An empty path stands for all others of the hour; `position` orders rows of one moment.
    await runner.query(`
      create table refused_call (
        account_id uuid not null,
        hour timestamptz not null,
        api_key_id uuid not null,
        code text collate "C" not null,
        path text collate "C" not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        position bigint not null,
        times bigint not null check (times > 0),
        required_credits bigint,
        primary key (account_id, hour, api_key_id, code, path)
      );
      create index refused_call_of on refused_call (account_id, last_at, position);
      create index refused_call_at on refused_call (last_at, position)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
