import type pg from 'pg';
import { readChanges } from '../events/month-events.js';
import type { ClosedMonth } from './closed-months.js';

/** A closed month by its label. */
export interface DueMonth extends ClosedMonth {
  readonly month: string;
}

/** Months of one account that the log holds, oldest first, after the one that is named. */
export async function readClosesOf(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  after: string | null,
): Promise<DueMonth[]> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const found = (await readChanges(db, [all], ['MonthClosed'])).get(accountId) ?? [];
  return found.flatMap(({ stored, event }) => {
    if (event.type !== 'MonthClosed') return [];
    const { month, account_version: version } = event.data;
    if (after !== null && month <= after) return [];
    const closeVersion = stored.accountVersion;
    return [{ accountId, month, firstVersion: version.from, closeVersion }];
  });
}
