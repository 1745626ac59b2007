import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables of notifications and deliveries. `notification` follows from the log; the secrets and all
 * about deliveries do not: what was sent, to whom and with which outcome stands in no event.
 */
export class Deliveries implements MigrationInterface {
  readonly name = 'Deliveries1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table notification (
        position bigint not null,
        account_id uuid not null,
        lane smallint not null,
        type text collate "C" not null,
        primary key (lane, position)
      );
      create index notification_account on notification (lane, account_id, position)`);
    await runner.query(`
      create table secret (
        id uuid primary key,
        body bytea not null,
        sha256 bytea not null check (length(sha256) = 32),
        created_at timestamptz not null default clock_timestamp()
      )`);
    await runner.query(DELIVERY);
    await runner.query(`
      create table delivery_attempt (
        id uuid primary key,
        delivery_id uuid not null,
        at timestamptz not null,
        duration_ms int not null,
        outcome text not null check (outcome in ('delivered', 'failed')),
        status smallint,
        detail text
      );
      create index delivery_attempt_of on delivery_attempt (delivery_id, at)`);
    await runner.query(`
      create table delivery_cursor (
        lane smallint primary key,
        position bigint not null check (position >= 0)
      ) with (fillfactor = 20)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}

// Without lane and position it is a test, which no event made. Of an e-mail the profile is the row
// with its recipients, the ordinal which of them. A row changes with each attempt.
const DELIVERY = `
create table delivery (
  id uuid primary key,
  receiver uuid not null,
  account_id uuid,
  position bigint,
  created_at timestamptz not null default clock_timestamp(),
  next_at timestamptz,
  claimed_until timestamptz,
  profile_id uuid,
  tries int not null default 0,
  lane smallint,
  ordinal smallint,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  type text collate "C" not null
) with (fillfactor = 70);
create index delivery_pending on delivery (receiver, next_at) where status = 'pending';
create index delivery_of on delivery (receiver, created_at, id);
create index delivery_event on delivery (lane, position)`;
