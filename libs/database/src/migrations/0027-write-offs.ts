import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The part of an invoice that is not expected to be paid any more. */
export class WriteOffs implements MigrationInterface {
  readonly name = 'WriteOffs1763700000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table invoice add column written_off bigint not null default 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
