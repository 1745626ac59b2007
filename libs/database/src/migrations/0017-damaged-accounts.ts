import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where projections stand still for one account, because an event of it cannot be applied. */
export class DamagedAccounts implements MigrationInterface {
  readonly name = 'DamagedAccounts1763700000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table damaged_account (
        projection text collate "C" not null,
        lane smallint not null,
        account_id uuid not null,
        position bigint not null,
        version bigint not null,
        error text not null,
        primary key (projection, lane, account_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
