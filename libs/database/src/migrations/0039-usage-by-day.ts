import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of calls by day, one row for an account's day and window. */
export class UsageByDay implements MigrationInterface {
  readonly name = 'UsageByDay1763700000039';

  async up(runner: QueryRunner): Promise<void> {
    // In place of usage_day, which the version before still reads: nth of each array is one sum.
    await runner.query(`
      create table day_usage (
        lane smallint not null,
        account_id uuid not null,
        day text collate "C" not null,
        window_label text collate "C" not null,
        resources text[] collate "C" not null,
        regions text[] collate "C" not null,
        rules text[] collate "C" not null,
        kinds text[] collate "C" not null,
        api_keys int[] not null,
        calls bigint[] not null,
        call_costs bigint[] not null,
        data_costs bigint[] not null,
        primary key (lane, account_id, day, window_label)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
