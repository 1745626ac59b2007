import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * API keys lie with their account's lane in a cluster: a key is issued while another server is
 * away. They are still looked for by their hash, which the key of the table begins with.
 */
export class KeysByLane implements MigrationInterface {
  readonly name = 'KeysByLane1763700000042';

  async up(runner: QueryRunner): Promise<void> {
    // It lay on every server; what runs migrations spreads it again, by lane.
    if (await isSpread(runner)) await runner.query(`select undistribute_table('ledger_api_key')`);
    await runner.query(`
      alter table ledger_api_key
        drop constraint ledger_api_key_pkey,
        add primary key (hash, lane)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}

async function isSpread(runner: QueryRunner): Promise<boolean> {
  const known = await runner.query(`select to_regclass('pg_dist_partition') is not null as known`);
  if (!known[0].known) return false;
  const tables = await runner.query(
    `select from pg_dist_partition where logicalrelid = 'ledger_api_key'::regclass`,
  );
  return tables.length > 0;
}
