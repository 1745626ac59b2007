import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Private halves of the keys that sign receipts, and heads of accounts beside kept states. */
export class Receipts implements MigrationInterface {
  readonly name = 'Receipts1763700000035';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table receipt_key (
        kid text collate "C" primary key,
        private_key bytea not null,
        made_at timestamptz not null default clock_timestamp()
      )`);
    // Null in rows of earlier programs: whoever needs the head begins further back.
    await runner.query(`alter table ledger_snapshot add column head bytea`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
