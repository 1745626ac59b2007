import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import { isDatabaseTrouble } from '#database/errors.js';
import { damagedAccounts, isDamaged, noteDamage } from './damaged-accounts.js';
import { SYSTEM_LANE, type StoredEvent } from './event-log.js';
import { UnappliedEventError, type Projection } from './projection.js';
import { applyBatch, applyBatchBy } from './projection-batch.js';
import type { LaneBacklog } from './projection-work.js';

/**
 * Applies what is behind in these lanes in one transaction. Where an event cannot be applied,
 * account by account: then its account alone is left, and written down as damaged.
 */
export async function applyOrDamage(
  pool: pg.Pool,
  projection: Projection,
  lanes: readonly LaneBacklog[],
): Promise<number> {
  try {
    return await withTransaction(pool, (client) => applyBatch(client, projection, lanes));
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    return withTransaction(pool, (client) => applyDamaging(client, projection, lanes));
  }
}

/** The same account by account from the start, in the caller's transaction. */
export async function applyDamaging(
  client: pg.ClientBase,
  projection: Projection,
  lanes: readonly LaneBacklog[],
): Promise<number> {
  const system = lanes.filter(({ lane }) => lane === SYSTEM_LANE);
  const own = lanes.filter(({ lane }) => lane !== SYSTEM_LANE);
  const ofSystem = await applyBatch(client, projection, system);
  return ofSystem + (await applyBatchBy(client, projection, own, applyByAccount));
}

async function applyByAccount(
  client: pg.ClientBase,
  projection: Projection,
  events: readonly StoredEvent[],
): Promise<void> {
  const damaged = await damagedAccounts(client, projection.name, events);
  const accounts = new Map<string, StoredEvent[]>();
  for (const event of events) {
    if (isDamaged(damaged, event)) continue;
    const own = accounts.get(event.accountId) ?? [];
    accounts.set(event.accountId, own);
    own.push(event);
  }
  let applied = 0;
  for (const own of accounts.values()) applied += await applyUpToDamage(client, projection, own);
  // Of several accounts not one event: that is the projection's own fault, and damages none of
  // them.
  if (applied === 0 && accounts.size > 1) await projection.apply(events, client);
}

/**
 * Halves what does not go until one event is left, which is written down; what follows it is left.
 * Answers how many were applied.
 */
async function applyUpToDamage(
  client: pg.ClientBase,
  projection: Projection,
  events: readonly StoredEvent[],
): Promise<number> {
  const [first] = events;
  if (first === undefined) return 0;
  await client.query('savepoint damage');
  try {
    await projection.apply(events, client);
    await client.query('release savepoint damage');
    return events.length;
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    await client.query('rollback to savepoint damage');
    if (events.length === 1) {
      const [event, cause] =
        error instanceof UnappliedEventError ? [error.event, error.cause] : [first, error];
      await noteDamage(client, projection.name, event, cause);
      return 0;
    }
  }
  const half = events.length >> 1;
  const applied = await applyUpToDamage(client, projection, events.slice(0, half));
  if (applied < half) return applied;
  return applied + (await applyUpToDamage(client, projection, events.slice(half)));
}
