import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids that accounts have in systems of the operator's; profiles say which account has which. */
export class ExternalIds implements MigrationInterface {
  readonly name = 'ExternalIds1763700000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_external_id (
        external_id text collate "C" primary key,
        account_id uuid not null,
        claimed_at timestamptz not null default now()
      )`);
    await runner.query('create index account_external_id_of on account_external_id (account_id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
