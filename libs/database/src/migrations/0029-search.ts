import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ways to an account, a document or an API key by a part of its name. */
export class Search implements MigrationInterface {
  readonly name = 'Search1763700000029';
  /** An index that is made beside writers cannot be made in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WORDS);
    const events = await runner.query('select from event limit 1');
    for (const [name, place] of INDEXES) {
      // What an attempt before this one has left is not whole.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(
        `create index ${events.length > 0 ? 'concurrently' : ''} ${name} on ${place}`,
      );
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add.');
  }
}

// Words are looked for by their beginnings, whatever stands between them.
const WORDS = `
create or replace function text_words(text text) returns tsvector
language sql immutable parallel safe as $$
  select pg_catalog.to_tsvector('pg_catalog.simple',
           pg_catalog.regexp_replace(pg_catalog.lower(text), '[^[:alnum:]]+', ' ', 'g')) $$;
create or replace function profile_words(body json) returns tsvector
language sql immutable parallel safe as $$
  select pg_catalog.to_tsvector('pg_catalog.simple', pg_catalog.regexp_replace(pg_catalog.lower(
           coalesce(body ->> 'name', '') || ' ' || coalesce(body ->> 'external_id', '') || ' ' ||
           coalesce(body -> 'buyer' ->> 'name', '') || ' ' ||
           coalesce(body -> 'buyer' ->> 'email', '')), '[^[:alnum:]]+', ' ', 'g')) $$`;

const INDEXES: readonly (readonly [name: string, place: string])[] = [
  ['profile_words_of', 'profile using gin (profile_words(body))'],
  ['account_member_words', 'account_member using gin (text_words(email))'],
  ['event_api_key_end', `event ((data ->> 'last_four')) where type = 'ApiKeyIssued'`],
  ['invoice_open', 'invoice (due_date) where paid + credited + written_off < total'],
  ['invoice_issued', 'invoice (issue_date)'],
];
