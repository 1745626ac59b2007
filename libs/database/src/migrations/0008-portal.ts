import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is signed in to the customers' portal and to the console, and each account's own API key. */
export class Portal implements MigrationInterface {
  readonly name = 'Portal1763700000008';

  async up(runner: QueryRunner): Promise<void> {
    // Of links and cookies only hashes are kept. A row without a cookie was not used yet.
    await runner.query(`
      create table portal_session (
        id uuid primary key,
        account_id uuid not null,
        role text collate "C" not null check (role in ('viewer', 'manager')),
        opened_by text collate "C" not null,
        opened_at timestamptz not null,
        link_hash bytea not null unique,
        link_expires_at timestamptz not null,
        redeemed_at timestamptz,
        cookie_hash bytea unique,
        expires_at timestamptz,
        revoked_at timestamptz
      );
      create index portal_session_of on portal_session (account_id, opened_at, id)`);
    // It names the token by its hash: another ADMIN_TOKEN ends the sessions of the one before.
    await runner.query(`
      create table console_session (
        cookie_hash bytea primary key,
        token_hash bytea not null,
        opened_at timestamptz not null,
        expires_at timestamptz not null
      )`);
    // The API key that an account's pulls from the portal are made with; its secret is encrypted.
    await runner.query(`
      create table portal_api_key (
        account_id uuid primary key,
        key_id uuid not null,
        secret_id uuid not null
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
