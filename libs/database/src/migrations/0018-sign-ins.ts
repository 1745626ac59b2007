import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who signed in, failed to or was denied a role, counted by the minute. */
export class SignIns implements MigrationInterface {
  readonly name = 'SignIns1763700000018';

  async up(runner: QueryRunner): Promise<void> {
    // The subject is empty where nobody is known. `at` is the first of the minute, `position`
    // orders rows of one moment.
    await runner.query(`
      create table sign_in_record (
        minute timestamptz not null,
        outcome text collate "C" not null
          check (outcome in ('signed-in', 'sign-in-failed', 'role-denied')),
        door text collate "C" not null,
        address text collate "C" not null,
        subject text collate "C" not null,
        account_id uuid,
        route text collate "C",
        at timestamptz not null,
        position bigint not null,
        times bigint not null check (times > 0),
        primary key (minute, outcome, door, address, subject)
      );
      create index sign_in_record_at on sign_in_record (at, position);
      create index sign_in_record_of on sign_in_record (account_id, at, position);
      create index sign_in_record_by on sign_in_record (subject, at, position)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
