import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices that are due and lack facts, and when facts of accounts and the seller changed. */
export class HeldInvoices implements MigrationInterface {
  readonly name = 'HeldInvoices1763700000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table held_invoice (
        lane smallint not null,
        account_id uuid not null,
        document_id uuid not null,
        month text collate "C" not null,
        is_month boolean not null,
        account_version bigint not null,
        system_position bigint not null,
        held_at timestamptz not null default clock_timestamp(),
        summary jsonb not null,
        primary key (lane, account_id, document_id)
      )`);
    await runner.query(`
      create table invoice_fact (
        lane smallint not null,
        account_id uuid not null,
        version bigint not null,
        primary key (lane, account_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
