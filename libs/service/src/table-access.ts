import type pg from 'pg';
import { codeOf } from '#database/errors.js';
import type { PartState } from '#web/readiness.js';
import { briefCause } from './brief-cause.js';

const READY: PartState = { ready: true };
const LOCKED: PartState = { ready: false, detail: 'a lock in the database is in the way' };
const LOCK_NOT_AVAILABLE = '55P03';
/** Shorter than the database waits before it looks for deadlocks: this never ends a transaction. */
const LOCK_MS_MAX = 500;

/** A statement in PL/pgSQL that reads no row, but needs the table, its right and its lock. */
export function readNothing(table: string): string {
  return `perform 1 from ${table} where false;`;
}

/**
 * Whether statements find the tables, rights and locks that they need; none of them may write.
 * Throws what the driver throws. In a cluster each lane has a server of its own, so there is
 * nothing to learn from one.
 */
export async function tableAccess(pool: pg.Pool, statements: string): Promise<PartState> {
  try {
    await pool.query(`do $try$ begin
      if to_regclass('pg_dist_partition') is null then
        perform set_config('lock_timeout', '${LOCK_MS_MAX}', true);
        ${statements}
      end if;
    end $try$`);
    return READY;
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return LOCKED;
    throw error;
  }
}

/** Read for calls of accounts, callers and answers that are not remembered. */
const READ = [
  'checkpoint',
  'damaged_account',
  'ledger_account',
  'ledger_api_key',
  'ledger_opened',
  'release_load',
  'release_category',
  'release_brand',
  'release_brand_category',
  'release_relation',
  'release_series',
  'release_figure',
];

/** Warns of tables that cannot be read, without which some calls are refused and others are not. */
export async function readWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const statements = READ.map(readNothing).join('\n');
  const state = await tableAccess(pool, statements).catch((error: unknown) => {
    return { ready: false, detail: briefCause(error) };
  });
  if (state.ready) return [];
  return [`Calls of which nothing is remembered are refused: ${state.detail ?? ''}.`];
}
