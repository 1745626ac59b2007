import {
  isTag,
  tagNameOf,
  type TagDimension,
  type UsageDimension,
} from '../views/usage-dimension.js';
import type pg from 'pg';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { codeOf } from '#database/errors.js';
import type { AccountHistory } from './account-history.js';
import { UsageTimeoutError } from '#web/read-errors.js';
import type { Page, UsageFilter, UsageView } from '../views/account-reads.js';
import { readApiKeyIds, type ApiKeyIds } from './api-keys.js';
import { ANY_CALL, needsCalls, type CallConditions } from './call-conditions.js';
import { conditionsOf } from './call-list.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { openedTags } from './opened-tags.js';
import { placeOf, type SumsRow as Row } from './sums-row.js';
import { pageOf } from '../views/pages.js';
import { encryptedTag } from './encrypted-tag.js';
import { isOfCalls, isOfTags, type SumDimension } from './usage-dimensions.js';
import { callsOfAccount, usageQuery } from './usage-query.js';
import { daysOf, usageSource, type Period, type UsageSource } from './usage-source.js';

const NO_KEYS: ApiKeyIds = new Map();
const NO_CALLS: UsageSource = { days: null, stretches: [] };
const STATEMENT_CANCELED = '57014';

/**
 * Sums of an account's calls up to a moment (inclusive, ms since 1970), in the snapshot of the
 * transaction under way. Throws BadCursorError, and UsageTimeoutError where the log is too long to
 * be summed in the time that a statement has.
 */
export async function readUsage(
  client: pg.ClientBase,
  history: AccountHistory,
  state: AccountState,
  at: number,
  filter: UsageFilter,
  calendar: Calendar,
): Promise<Page<UsageView>> {
  const { by, limit, order = 'asc' } = filter;
  const list = `usage by ${by.join(',')}`;
  const after = filter.after === null ? null : decodePlace(list, by.length, filter.after);
  const period = periodOf(filter, state.openedAt, at);
  const byDay = by.includes('day') || by.includes('month');
  const { accountId } = history;
  const match = await matchOf(client, accountId, state, filter);
  const byCall = by.some(isOfCalls) || (match !== null && needsCalls(match));
  const source =
    match === null ? NO_CALLS : await usageSource(client, history, period, calendar, byCall);
  const days = byDay ? await daysOf(client, accountId, source.stretches, at, calendar) : [];
  const apiKeys = by.includes('api_key') ? await idsByOrdinal(client, accountId, state) : [];
  const tagNames = await heldNames(client, accountId, by);
  const accounts = callsOfAccount(accountId, source);
  const all = { accounts, by, match: match ?? ANY_CALL, days, apiKeys, tagNames, order };
  // The order of sealed tags is not that of what they say: they are paged once they are opened.
  const isByTag = by.some(isOfTags);
  const paged = isByTag ? { after: null, limit: null } : { after, limit: limit + 1 };
  const { text, values } = usageQuery({ ...all, ...paged });
  const { rows: found } = await inTime(client.query<Row>(text, [...values]));
  const rows = isByTag ? await openedTags(client, found, by, after, order) : found;
  const view = (row: Row): UsageView => usageView(row, by);
  return pageOf(rows, limit, view, (row) => encodePlace(list, placeOf(row, by)));
}

/** Null: no call can be like that. */
async function matchOf(
  client: pg.ClientBase,
  accountId: string,
  state: AccountState,
  { match }: UsageFilter,
): Promise<CallConditions | null> {
  if (match === undefined) return ANY_CALL;
  const apiKeys = match.apiKeyId === null ? NO_KEYS : await readApiKeyIds(client, accountId, state);
  return conditionsOf(client, accountId, apiKeys, match);
}

async function idsByOrdinal(
  client: pg.ClientBase,
  accountId: string,
  state: AccountState,
): Promise<string[]> {
  const ids = await readApiKeyIds(client, accountId, state);
  return Array.from({ length: state.lastApiKey }, (_, index) => ids.get(index + 1) ?? '');
}

/** Bounds that leave nothing out need not be looked for. */
function periodOf({ from, to, asOf }: UsageFilter, openedAt: number, at: number): Period {
  const end = Math.min(to ?? Infinity, asOf === null ? Infinity : asOf + 1);
  return {
    from: from === null || from <= openedAt ? null : Math.min(from, at + 1),
    to: asOf === null && end > at ? null : Math.max(Math.min(end, at + 1), openedAt),
  };
}

/** The sums of a row by their dimensions. */
export function usageView(
  row: Row,
  by: readonly SumDimension[],
): UsageView & { readonly account?: string | null } {
  const values: Record<string, UsageView['tags' | 'key']> = {};
  for (const [index, name] of by.entries()) {
    const value = row[`d${index + 1}`] ?? '';
    if (isOfTags(name)) values['tags'] = withTags(values['tags'] as UsageView['tags'], name, value);
    else values[name] = value === '' ? null : value;
  }
  const { calls, call_cost, data_cost } = row;
  return { ...values, calls, call_cost, data_cost, credits_used: call_cost + data_cost };
}

/** Tags of a sum with those of one more dimension. */
function withTags(
  tags: UsageView['tags'],
  dimension: 'tags' | TagDimension,
  text: string,
): UsageView['tags'] {
  if (isTag(dimension)) return { ...tags, [tagNameOf(dimension)]: text === '' ? null : text };
  if (text === '') return tags ?? null;
  return { ...tags, ...(JSON.parse(text) as Readonly<Record<string, string>>) };
}

/** Names of the tags that sums are grouped by, each as calls may hold it. */
async function heldNames(
  client: pg.ClientBase,
  accountId: string,
  by: readonly UsageDimension[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const held = new Map<string, readonly string[]>();
  for (const name of by.filter(isTag).map(tagNameOf)) {
    const tags = await encryptedTag(client, accountId, { name, value: null });
    held.set(
      name,
      tags.map((tag) => tag.name),
    );
  }
  return held;
}

/** The outcome of a statement of sums. Throws UsageTimeoutError. */
export async function inTime<Found>(query: Promise<Found>): Promise<Found> {
  try {
    return await query;
  } catch (error) {
    if (codeOf(error) !== STATEMENT_CANCELED) throw error;
    throw new UsageTimeoutError('The sums took too long.', { cause: error });
  }
}
