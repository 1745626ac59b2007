import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices name no tree of their calls any more: nothing counts on with each call. */
export class NoCallsTrees implements MigrationInterface {
  readonly name = 'NoCallsTrees1763700000045';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table ledger_account drop column if exists calls_tree`);
  }

  async down(): Promise<void> {
    throw new Error('A rebuild of the ledger does not make the column again.');
  }
}
