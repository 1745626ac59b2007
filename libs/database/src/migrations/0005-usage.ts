import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sums of calls by day and what they asked for, states of accounts as they once were, and the way
 * to the few events of an account that are no calls.
 */
export class Usage implements MigrationInterface {
  readonly name = 'Usage1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    // The same rows are updated all day: free space on the page keeps that in place.
    await runner.query(`
      create table usage_day (
        lane smallint not null,
        account_id uuid not null,
        day text collate "C" not null,
        window_label text collate "C" not null,
        resource text collate "C" not null,
        region text collate "C" not null,
        rule text collate "C" not null,
        kind text collate "C" not null,
        api_key int not null,
        calls bigint not null,
        call_cost bigint not null,
        data_cost bigint not null,
        primary key (lane, account_id, day, window_label, resource, region, rule, kind, api_key)
      ) with (fillfactor = 80)`);
    await runner.query(`
      create table ledger_snapshot (
        lane smallint not null,
        account_id uuid not null,
        version bigint not null,
        state json not null,
        primary key (lane, account_id, version)
      )`);
    // A call is not in it, so that appending one costs nothing more.
    await runner.query(`
      create index event_change on event (lane, account_id, account_version)
       where type <> 'CallMade'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
