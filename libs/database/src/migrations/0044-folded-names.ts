import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FOLDED_WORDS, NAMED_TABLES, foldNames } from '../names/folded-names.js';

/** Names as searches compare them: folded by the program, whatever the database's locale is. */
export class FoldedNames implements MigrationInterface {
  readonly name = 'FoldedNames1763700000044';
  /** An index that is made beside writers cannot be made in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const events = await runner.query('select from event limit 1');
    const beside = events.length > 0 ? 'concurrently' : '';
    for (const named of NAMED_TABLES) {
      const { table, key, stale } = named;
      await runner.query(`alter table ${table} add column if not exists folded text collate "C"`);
      await foldNames((text, values) => runner.query(text, values), named);
      const unfolded = `${table}_unfolded`;
      await runner.query(`drop index concurrently if exists ${unfolded}`);
      await runner.query(
        `create index ${beside} ${unfolded} on ${table} (${Object.keys(key).join(', ')}) where ${stale}`,
      );
    }
    await runner.query('drop index concurrently if exists profile_folded_words');
    await runner.query(
      `create index ${beside} profile_folded_words on profile using gin ((${FOLDED_WORDS}))`,
    );
    // Its function stays: the version before may run beside, and asks by it.
    await runner.query('drop index concurrently if exists profile_words_of');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}
