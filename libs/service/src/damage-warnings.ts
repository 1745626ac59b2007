import type pg from 'pg';
import { readDamage } from '#event-log/damaged-accounts.js';

const NAMED_MAX = 10;

/** Names accounts with an event that cannot be applied: they wait for somebody to repair them. */
export async function damageWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const damage = await readDamage(pool, { limit: 1_000 });
  const places = new Map(
    damage.map(({ accountId, lane, position }) => [
      accountId,
      `${accountId} (lane ${lane}, position ${position})`,
    ]),
  );
  if (places.size === 0) return [];
  const named = [...places.values()].slice(0, NAMED_MAX).join(', ');
  const more = places.size > NAMED_MAX ? ` and ${places.size - NAMED_MAX} more` : '';
  return [`Accounts are damaged, to be repaired: ${named}${more}.`];
}
