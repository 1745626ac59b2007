import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People who sign in by an identity provider: operators, and members of accounts. */
export class People implements MigrationInterface {
  readonly name = 'People1763700000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operator (
        id uuid primary key,
        issuer text collate "C" not null,
        subject text collate "C" not null,
        name text,
        email text,
        role text collate "C" not null,
        signed_in_at timestamptz not null,
        unique (issuer, subject)
      )`);
    // A session of the console stands for a token or for an operator.
    await runner.query(`
      alter table console_session
        alter column token_hash drop not null,
        add column operator_id uuid,
        add column role text collate "C"`);
    // Known by the address until the first sign-in, and by issuer and subject from then on.
    await runner.query(`
      create table account_member (
        id uuid primary key,
        account_id uuid not null,
        email text not null,
        role text collate "C" not null check (role in ('viewer', 'manager')),
        added_by text collate "C" not null,
        added_at timestamptz not null,
        issuer text collate "C",
        subject text collate "C",
        signed_in_at timestamptz
      );
      create unique index account_member_email on account_member (account_id, lower(email));
      create index account_member_address on account_member (lower(email));
      create index account_member_subject on account_member (issuer, subject)`);
    // Null: somebody has opened a link.
    await runner.query('alter table portal_session add column member_id uuid');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
