import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices of purchases, and credit notes of their refunds, that are to be drawn up. */
export class DueDocuments implements MigrationInterface {
  readonly name = 'DueDocuments1763700000021';

  async up(runner: QueryRunner): Promise<void> {
    // Null in rows of an older version, which are built again.
    await runner.query('alter table invoice_purchase add column grant_ordinal int');
    await runner.query(`
      create table document_due (
        document_id uuid not null,
        account_id uuid not null,
        lane smallint not null,
        primary key (lane, document_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
