import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest verifications of the log, by whichever process or command. */
export class KeptVerifications implements MigrationInterface {
  readonly name = 'KeptVerifications1763700000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table verification (
        id uuid primary key,
        kept_at timestamptz not null default clock_timestamp(),
        body json not null
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
