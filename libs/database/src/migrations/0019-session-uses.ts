import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When sessions of the portal and the console were last used, to the minute. */
export class SessionUses implements MigrationInterface {
  readonly name = 'SessionUses1763700000019';

  async up(runner: QueryRunner): Promise<void> {
    // Null: not since the sign-in. Whoever is signed in now has the whole idle time from here on.
    await runner.query('alter table portal_session add column used_at timestamptz');
    await runner.query('alter table console_session add column used_at timestamptz');
    await runner.query('update portal_session set used_at = now() where expires_at > now()');
    await runner.query('update console_session set used_at = now()');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
