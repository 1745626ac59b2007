import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that invite a member. A session of one that was shown, not mailed, proves no address. */
export class Invitations implements MigrationInterface {
  readonly name = 'Invitations1763700000046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sign_in_link add column kind text not null default 'requested'
        check (kind in ('requested', 'invited', 'shown'));
      alter table portal_session add column is_confined boolean not null default false`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
