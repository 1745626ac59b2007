import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import { withTransaction } from '#database/database.js';
import { SYSTEM_ACCOUNT, type StoredEvent } from '#event-log/event-log.js';
import { readAccountNames } from '#projections/reads/account-names.js';
import { readable } from '#projections/texts/readable.js';
import { callsOfAll, type AccountCallView } from '#projections/whole-log/calls-of-all.js';
import { decodePlaces, encodePlaces } from '#projections/whole-log/places.js';
import { LOG_START, readBehind } from '#projections/whole-log/read-behind.js';
import {
  usageOfAll,
  type AllUsageDimension,
  type AllUsageView,
} from '#projections/whole-log/usage-of-all.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { Column } from '#web/csv.js';
import { found } from '#web/problem.js';
import { NO_STORE, pagedList, type List } from '#web/table-answer.js';
import { SUMS_COLUMNS } from '../usage/usage-columns.js';
import { callFilter, callMatch } from '../usage/usage.js';
import type { CallsQuery, FeedQuery, SumsQuery } from './whole-log.schemas.js';

const BATCH_ROWS = 1_000;
const SUMS_BATCH_ROWS = 10_000;
const EVENTS = 'all-events';

/** Columns of sums over accounts as CSV. */
export function sumsColumns(by: readonly AllUsageDimension[]): readonly Column<AllUsageView>[] {
  return [
    ...by.map((name) => ({ name, cell: (sums: AllUsageView) => sums[name] })),
    ...SUMS_COLUMNS,
  ];
}

/** Calls of all accounts, and the log itself. */
export class WholeLog {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly reads: AccountReads,
  ) {}

  /** Of one account where the query names it, or one of its API keys. */
  calls(query: CallsQuery): List<AccountCallView> {
    const { after = null, order, from = null, to = null } = query;
    const filter = { ...callMatch(query), order, from, to, test: testOf(query) };
    return pagedList(after, BATCH_ROWS, async (place, limit) => {
      const account = await this.accountOf(query);
      if (account === null) return callsOfAll(this.pool, { ...filter, after: place, limit });
      const own = { ...callFilter({ ...query, limit }), after: place };
      const { items, next } = found(await this.reads.calls(account, own), 'account');
      const account_name = (await readAccountNames(this.pool, [account])).get(account) ?? null;
      return { items: items.map((call) => ({ account_id: account, account_name, ...call })), next };
    });
  }

  usage(query: SumsQuery): List<AllUsageView> {
    const { by, after = null, order, from = null, to = null } = query;
    const { resource = null, region = null, rule = null, kind = null } = query;
    const filter = { by, order, from, to, resource, region, rule, kind, test: testOf(query) };
    return pagedList(after, SUMS_BATCH_ROWS, (place, limit) =>
      withTransaction(
        this.pool,
        (client) => usageOfAll(client, { ...filter, after: place, limit }, this.calendar),
        'repeatable read',
      ),
    );
  }

  /** Throws BadCursorError. */
  async sendEvents({ after, limit }: FeedQuery, reply: FastifyReply): Promise<void> {
    const places = after === undefined ? LOG_START : decodePlaces(EVENTS, after);
    const part = await readBehind(this.pool, places, limit);
    const events = await readable(this.pool, part.events);
    const next = encodePlaces(EVENTS, part.places);
    const lines = [...events.map((event) => lineOf(event)), JSON.stringify({ next })];
    await reply
      .header('content-type', 'application/x-ndjson')
      .header('cache-control', NO_STORE)
      .send(`${lines.join('\n')}\n`);
  }

  /** Null: all accounts. */
  private async accountOf(query: CallsQuery): Promise<string | null> {
    const { account_id: account, api_key_id: key } = query;
    if (account !== undefined) return account;
    if (key === undefined) return null;
    const { rows } = await this.pool.query<{ account: string }>({
      name: 'account-of-api-key',
      text: `select account_id as account from event
              where lane = any (array(select lane from lane)) and call_id = $1
                and type = 'ApiKeyIssued'`,
      values: [key],
    });
    return found(rows[0]?.account, 'API key');
  }
}

/** The data is JSON already. */
function lineOf(event: StoredEvent): string {
  const { lane, position, accountId, accountVersion, type, at, callId, data } = event;
  const head = JSON.stringify({
    lane,
    position,
    account_id: accountId === SYSTEM_ACCOUNT ? null : accountId,
    account_version: accountVersion,
    type,
    at: formatMoment(at),
    call_id: callId,
  });
  return `${head.slice(0, -1)},"data":${data}}`;
}

function testOf({ test }: { readonly test?: 'true' | 'false' | undefined }): boolean | null {
  return test === undefined ? null : test === 'true';
}
