import type { MigrationInterface, QueryRunner } from 'typeorm';

/** E-mails of an account, for the list of them. */
export class Mails implements MigrationInterface {
  readonly name = 'Mails1763700000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index delivery_mail on delivery (account_id, created_at, id)
       where receiver in ('00000000-0000-8000-8000-000000000025',
                          '00000000-0000-8000-8000-000000000026')`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
