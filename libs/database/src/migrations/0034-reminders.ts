import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reminders of invoices. No older event is one, so that older rows hold what they should. */
export class Reminders implements MigrationInterface {
  readonly name = 'Reminders1763700000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table invoice
        add column reminded_days smallint not null default 0,
        add column reminders_stopped boolean not null default false`);
    await runner.query(`
      create index invoice_unpaid on invoice (due_date)
       where is_overdue and paid + credited < total`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
