import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of accounts that are written once for many calls, and how far they have come. */
export class RareRows implements MigrationInterface {
  readonly name = 'RareRows1763700000023';

  async up(runner: QueryRunner): Promise<void> {
    // Until when calls of the account change nothing of what falls due in its row.
    await runner.query('alter table ledger_account add column settled_until timestamptz');
    // In place of window_key, which the version before still reads: nth of each array is one key.
    await runner.query(`
      create table window_usage (
        lane smallint not null,
        account_id uuid not null,
        window_label text collate "C" not null,
        keys text[] collate "C" not null,
        first_call_at timestamptz[] not null,
        calls bigint[] not null,
        credits_used bigint[] not null,
        primary key (lane, account_id, window_label)
      )`);
    await runner.query(`
      create table usage_reached (
        lane smallint not null,
        account_id uuid not null,
        version bigint not null,
        primary key (lane, account_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
