import type pg from 'pg';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { versionAt, type AccountHistory, type Stretch } from './account-history.js';
import type { Batches, CallFilter, CallMatch, Page } from '../views/account-reads.js';
import type { ApiKeyIds } from './api-keys.js';
import type { CallConditions } from './call-conditions.js';
import { callsQuery, type CallList } from './calls-query.js';
import { decodeNumberPlace, encodePlace } from '#web/cursor.js';
import { pageOf } from '../views/pages.js';
import { readable } from '../texts/readable.js';
import { encryptedTag } from './encrypted-tag.js';

/** Rows of a batch of a whole list: little memory, and the event loop is never kept long. */
const BATCH_ROWS = 200;

/** A grant of an account: its ordinal, and the version of its event. */
export interface GivenGrant {
  readonly ordinal: number;
  readonly version: number;
}

/** Resolves a filter for an account; null if no call can pass. */
export async function findCallList(
  client: pg.ClientBase,
  history: AccountHistory,
  apiKeys: ApiKeyIds,
  filter: CallFilter,
  grant: GivenGrant | null,
): Promise<CallList | null> {
  const { accountId } = history;
  const match = await conditionsOf(client, accountId, apiKeys, filter);
  if (match === null) return null;
  const { after, upTo } = await stretchOf(client, history, filter);
  const among = { after: Math.max(after, grant?.version ?? 0), upTo };
  const { order } = filter;
  return {
    lane: laneOf(accountId),
    accountId,
    among,
    order,
    match,
    grant: grant?.ordinal ?? null,
  };
}

/** A `CallMatch` as the events of the account hold it; null: no call can meet it. */
export async function conditionsOf(
  client: pg.ClientBase,
  accountId: string,
  apiKeys: ApiKeyIds,
  { apiKeyId, tag, resourceKey, resource, region, rule, kind }: CallMatch,
): Promise<CallConditions | null> {
  const [apiKey = null] = [...apiKeys].find(([, id]) => id === apiKeyId) ?? [];
  if (apiKeyId !== null && apiKey === null) return null;
  const tags = tag === null ? null : await encryptedTag(client, accountId, tag);
  return { resourceKey, resource, region, rule, kind, apiKey, tags };
}

async function stretchOf(
  client: pg.ClientBase,
  history: AccountHistory,
  { from, to }: CallFilter,
): Promise<Stretch> {
  return {
    after: from === null ? 0 : await versionAt(client, history, from - 1),
    upTo: to === null ? history.version : await versionAt(client, history, to - 1),
  };
}

/** Cursors name their order: what is still to come behind one is the other half there. */
function nameOf(order: CallFilter['order']): string {
  return `calls ${order}`;
}

/** The account's version after which a list goes on. Throws BadCursorError. */
function versionBehind({ after, order }: Pick<CallFilter, 'after' | 'order'>): number | null {
  return after === null ? null : decodeNumberPlace(nameOf(order), after);
}

/** One page of a list, each call shown by `view`. Throws BadCursorError. */
export async function readCallPage<View>(
  db: pg.Pool | pg.ClientBase,
  list: CallList | null,
  { after, limit, order }: Pick<CallFilter, 'after' | 'limit' | 'order'>,
  view: (stored: StoredEvent) => View,
): Promise<Page<View>> {
  const version = versionBehind({ after, order });
  if (list === null) return { items: [], next: null };
  const rows = await readCalls(db, list, version, limit + 1);
  return pageOf(rows, limit, view, ({ accountVersion }) =>
    encodePlace(nameOf(order), [String(accountVersion)]),
  );
}

/**
 * All calls of a list. The log only grows and the list names its last event, so no transaction has
 * to be held open for a reader that takes its time.
 */
export async function* readAllCalls<View>(
  pool: pg.Pool,
  list: CallList | null,
  filter: Pick<CallFilter, 'after' | 'order'>,
  view: (stored: StoredEvent) => View,
): Batches<View> {
  let version = versionBehind(filter);
  while (list !== null) {
    const rows = await readCalls(pool, list, version, BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(view);
    if (rows.length < BATCH_ROWS) return;
    version = last.accountVersion;
  }
}

async function readCalls(
  db: pg.Pool | pg.ClientBase,
  list: CallList,
  after: number | null,
  limit: number,
): Promise<StoredEvent[]> {
  const { text, values } = callsQuery(list, after, limit);
  const { rows } = await db.query<EventRow>(text, [...values]);
  return readable(db, rows.map(toStoredEvent));
}

/** A grant, or the credits that an adjustment gave; undefined: there is no such. */
export async function findGrant(
  client: pg.ClientBase,
  { accountId, version }: AccountHistory,
  grantId: string,
): Promise<GivenGrant | undefined> {
  const { rows } = await client.query<GivenGrant>({
    name: 'grant-ordinal',
    text: `select (data ->> 'grant')::int as ordinal, account_version as version from event
            where lane = $1 and account_id = $2 and account_version <= $3
              and type in ('CreditsGranted', 'Adjusted') and data ->> 'grant_id' = $4
              and data ->> 'grant' is not null`,
    values: [laneOf(accountId), accountId, version, grantId],
  });
  return rows[0];
}
