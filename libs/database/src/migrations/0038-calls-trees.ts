import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Trees over the calls of an account's running month, and the root of its last one. */
export class CallsTrees implements MigrationInterface {
  readonly name = 'CallsTrees1763700000038';

  async up(runner: QueryRunner): Promise<void> {
    // Null in rows of earlier programs: the root of a month is then worked out from the log.
    await runner.query(`alter table ledger_account add column calls_tree json`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
