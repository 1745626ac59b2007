import type pg from 'pg';
import { type ApiKeyIssued, issuedKey } from '#account/api-keys.js';
import type { AccountEvent } from '#account/events.js';
import type { KeyEnd } from '#account/key-directory.js';
import type { AccountState, ApiKey } from '#account/state.js';
import { laneOf } from '#event-log/event-log.js';
import { readChanges } from '../events/month-events.js';

/** A key that an account was ever issued. Times: ms since 1970. */
export interface IssuedApiKey extends ApiKey {
  readonly revokedAt: number | null;
}

/** Ids of API keys by their ordinal in the account. */
export type ApiKeyIds = ReadonlyMap<number, string>;

/**
 * All API keys that an account was ever issued, in that order, from the log: its state holds only
 * those that are not over.
 */
export async function readApiKeys(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
): Promise<readonly IssuedApiKey[]> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const types = ['ApiKeyIssued', 'ApiKeyRevoked', 'ApiKeyEndSet', 'AccountClosed'] as const;
  const changes = (await readChanges(db, [all], types)).get(accountId) ?? [];
  return issuedKeys(changes.map(({ event }) => event));
}

/** The end of the key of an account whose SHA-256 (hex) that is, once it is over. */
export async function readKeyEnd(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  hash: string,
): Promise<KeyEnd | undefined> {
  return (await readApiKeys(db, accountId)).find((key) => key.hash === hash);
}

/** All API keys that events of one account have issued, in their order. */
export function issuedKeys(events: Iterable<AccountEvent>): readonly IssuedApiKey[] {
  const keys = new Map<number, IssuedApiKey>();
  const change = (ordinal: number, changes: Partial<IssuedApiKey>): void => {
    const key = keys.get(ordinal);
    if (key !== undefined) keys.set(ordinal, { ...key, ...changes });
  };
  for (const { type, data, at } of events) {
    if (type === 'ApiKeyIssued')
      keys.set(data.api_key, { ...issuedKey(data, at), revokedAt: null });
    if (type === 'ApiKeyRevoked') change(data.api_key, { revokedAt: at });
    if (type === 'ApiKeyEndSet') change(data.api_key, { expiresAt: Date.parse(data.expires_at) });
    if (type === 'AccountClosed') {
      for (const [ordinal, { revokedAt }] of keys) change(ordinal, { revokedAt: revokedAt ?? at });
    }
  }
  return [...keys.values()];
}

/** The event that issued a key of an account, whose id is that key's; undefined: there is none. */
export async function findIssuedKey(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  keyId: string,
): Promise<ApiKeyIssued | undefined> {
  const { rows } = await db.query<{ data: string }>({
    name: 'issued-api-key',
    text: `select data::text as data from event
            where lane = $1 and call_id = $2 and account_id = $3 and type = 'ApiKeyIssued'`,
    values: [laneOf(accountId), keyId, accountId],
  });
  return rows[0] && (JSON.parse(rows[0].data) as ApiKeyIssued);
}

/** Ids of the keys in a state; where one of `wanted` is not among them, of all that were issued. */
export async function readApiKeyIds(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  { apiKeys, lastApiKey }: AccountState,
  wanted?: readonly number[],
): Promise<ApiKeyIds> {
  const held = new Map(apiKeys.map(({ ordinal, id }) => [ordinal, id]));
  const isEnough = wanted?.every((ordinal) => held.has(ordinal)) ?? held.size === lastApiKey;
  if (isEnough) return held;
  const { rows } = await db.query<{ ordinal: number; id: string }>({
    name: 'api-key-ids',
    text: `select (data ->> 'api_key')::int as ordinal, data ->> 'key_id' as id from event
            where lane = $1 and account_id = $2 and type <> 'CallMade' and type = 'ApiKeyIssued'`,
    values: [laneOf(accountId), accountId],
  });
  return new Map(rows.map(({ ordinal, id }) => [ordinal, id]));
}
