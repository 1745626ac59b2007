import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The projections that feed decisions and reads of accounts. All can be rebuilt from the log. */
export class Ledger implements MigrationInterface {
  readonly name = 'Ledger1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ledger_account (
        lane smallint not null,
        account_id uuid not null,
        version bigint not null,
        head bytea not null,
        state json not null,
        due_at timestamptz,
        primary key (lane, account_id)
      );
      create index ledger_account_due on ledger_account (due_at) where due_at is not null;

      create table ledger_opened (
        lane smallint not null,
        account_id uuid not null,
        key text collate "C" not null,
        call_id uuid not null,
        at timestamptz not null,
        primary key (lane, account_id, key)
      );

      create table ledger_api_key (
        hash bytea primary key,
        lane smallint not null,
        account_id uuid not null,
        api_key int not null
      );

      create table window_key (
        lane smallint not null,
        account_id uuid not null,
        window_label text collate "C" not null,
        key text collate "C" not null,
        first_call_at timestamptz not null,
        calls bigint not null,
        credits_used bigint not null,
        primary key (lane, account_id, window_label, key)
      );

      create table profile (
        id uuid primary key,
        account_id uuid not null,
        body json not null,
        sha256 bytea not null,
        created_at timestamptz not null default clock_timestamp()
      );
      create index profile_account on profile (account_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
