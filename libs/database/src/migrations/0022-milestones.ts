import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The way to the few events that most projections want, past the calls between them. */
export class Milestones implements MigrationInterface {
  readonly name = 'Milestones1763700000022';
  /** An index that is made beside writers cannot be made in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt before this one has left is not whole.
    await runner.query('drop index concurrently if exists event_milestone');
    const events = await runner.query('select from event limit 1');
    // Most calls are not in it, so that appending one costs nothing more.
    await runner.query(`
      create index ${events.length > 0 ? 'concurrently' : ''} event_milestone
       on event (lane, position) where type <> 'CallMade' or account_version % 256 = 0`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
