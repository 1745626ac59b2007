import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables for erasing: the key of each account that encrypts the free texts of its events, and which
 * issued documents have lost their parties at the end of the legal term.
 */
export class Erasure implements MigrationInterface {
  readonly name = 'Erasure1763700000015';

  async up(runner: QueryRunner): Promise<void> {
    // Without a secret the texts of the account were erased.
    await runner.query(`
      create table text_key (
        id text collate "C" primary key,
        account_id uuid not null unique,
        secret bytea check (length(secret) = 64),
        created_at timestamptz not null default clock_timestamp()
      )`);
    // The name of a document stays the hash of its bytes as they were issued; what is left of them
    // waits beside them until the log vouches for it.
    await runner.query(`
      create table redaction (
        id uuid primary key,
        plan json not null,
        planned_at timestamptz not null default clock_timestamp(),
        done_at timestamptz
      );
      alter table document
        add column redaction uuid,
        add column redacted_sha256 bytea check (length(redacted_sha256) = 32),
        add column left_over bytea;
      create index document_redaction on document (redaction) where redaction is not null`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
