import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that members of accounts ask for by e-mail. The address stands in the member's row. */
export class SignInLinks implements MigrationInterface {
  readonly name = 'SignInLinks1763700000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sign_in_link (
        id uuid primary key,
        member_id uuid not null,
        return_to text not null,
        requested_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz
      );
      create index sign_in_link_member on sign_in_link (member_id, requested_at)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
