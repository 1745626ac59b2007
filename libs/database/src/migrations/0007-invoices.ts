import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Issued documents, which no event may hold, and what is asked of invoices over all accounts:
 * months to be invoiced, invoices, credit notes and their numbers. All but the documents follows
 * from the log.
 */
export class Invoices implements MigrationInterface {
  readonly name = 'Invoices1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    // Its bytes name a document, so that writing one twice changes nothing. What is issued is
    // compressed already, or short.
    await runner.query(`
      create table document (
        sha256 bytea primary key check (length(sha256) = 32),
        account_id uuid not null,
        created_at timestamptz not null default clock_timestamp(),
        media_type text not null,
        body bytea not null
      );
      alter table document alter column body set storage external;
      create index document_account on document (account_id)`);
    await runner.query(MONTHS);
    await runner.query(INVOICES);
    await runner.query(`
      create table invoice_number (
        position bigint not null,
        document_id uuid not null,
        account_id uuid not null,
        lane smallint not null,
        account_lane smallint not null,
        type text collate "C" not null check (type in ('invoice', 'credit_note')),
        number text collate "C" not null,
        primary key (lane, position)
      );
      create unique index invoice_number_text on invoice_number (number);
      create unique index invoice_number_of on invoice_number (document_id)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}

// A month that is to be invoiced is found by the partial index; nearly all were, long ago.
const MONTHS = `
create table invoice_purchase (
  account_version bigint not null,
  account_id uuid not null,
  lane smallint not null,
  primary key (lane, account_id, account_version)
);
create table invoice_month (
  first_version bigint not null,
  close_version bigint not null,
  closed_at timestamptz not null,
  account_id uuid not null,
  lane smallint not null,
  is_billable boolean not null,
  is_sealed boolean not null default false,
  month text collate "C" not null,
  primary key (lane, account_id, month)
);
create index invoice_month_due on invoice_month (month, lane, account_id)
 where is_billable and not is_sealed;
create index invoice_month_of on invoice_month (month, lane, account_id)`;

// Dates stay texts: they are local dates of the billing zone.
const INVOICES = `
create table invoice (
  net bigint not null,
  tax bigint not null,
  total bigint not null,
  paid bigint not null default 0,
  credited bigint not null default 0,
  account_version bigint not null,
  id uuid not null,
  account_id uuid not null,
  lane smallint not null,
  is_overdue boolean not null default false,
  month text collate "C" not null,
  series text collate "C" not null,
  issue_date text collate "C" not null,
  due_date text collate "C" not null,
  currency text collate "C" not null,
  primary key (lane, id)
);
create index invoice_due on invoice (due_date)
 where not is_overdue and paid + credited < total;
create table credit_note (
  net bigint not null,
  tax bigint not null,
  total bigint not null,
  account_version bigint not null,
  id uuid not null,
  invoice_id uuid not null,
  account_id uuid not null,
  lane smallint not null,
  month text collate "C" not null,
  series text collate "C" not null,
  issue_date text collate "C" not null,
  currency text collate "C" not null,
  primary key (lane, id)
)`;
