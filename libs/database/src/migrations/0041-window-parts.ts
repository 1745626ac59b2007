import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of calls by window and key, one row for a span of an account's events. */
export class WindowParts implements MigrationInterface {
  readonly name = 'WindowParts1763700000041';

  async up(runner: QueryRunner): Promise<void> {
    // In place of window_usage, which the version before still reads: nth of each array is one key,
    // of the calls whose versions are above `after` and not above `up_to`.
    await runner.query(`
      create table window_part (
        lane smallint not null,
        account_id uuid not null,
        window_label text collate "C" not null,
        after bigint not null,
        up_to bigint not null,
        keys text[] collate "C" not null,
        first_call_at timestamptz[] not null,
        calls bigint[] not null,
        credits_used bigint[] not null,
        primary key (lane, account_id, window_label, after, up_to)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
