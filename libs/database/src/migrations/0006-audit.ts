import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the changes of operators stand in the log, and when each admin token was last used. */
export class Audit implements MigrationInterface {
  readonly name = 'Audit1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    // Of the system's events the account is null, of those that nobody asked for the token.
    await runner.query(`
      create table audit_entry (
        position bigint not null,
        at timestamptz not null,
        account_id uuid,
        lane smallint not null,
        type text collate "C" not null,
        token_id text collate "C",
        primary key (lane, position)
      );
      create index audit_entry_at on audit_entry (at, lane, position);
      create index audit_entry_of on audit_entry (account_id, at, lane, position);
      create index audit_entry_by on audit_entry (token_id, at, lane, position)`);
    await runner.query(`
      create table admin_token_use (
        token_id uuid primary key,
        used_at timestamptz not null
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
