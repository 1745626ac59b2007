import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results of logs that customers reconciled: the newest of an account, for some days. */
export class Reconciliations implements MigrationInterface {
  readonly name = 'Reconciliations1763700000036';

  async up(runner: QueryRunner): Promise<void> {
    // Part 0 holds the sums, each further one up to 1,000 differences by their time.
    await runner.query(`
      create table reconciliation (
        id uuid not null,
        part int not null check (part >= 0),
        account_id uuid not null,
        created_at timestamptz not null,
        body json not null,
        primary key (id, part)
      );
      create index reconciliation_of on reconciliation (account_id, created_at);
      create index reconciliation_at on reconciliation (created_at)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
