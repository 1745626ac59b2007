import type pg from 'pg';
import type { CallMade } from '#account/events.js';
import { laneOf } from '#event-log/event-log.js';
import { withTransaction } from '#database/database.js';
import { momentOfMs } from '#database/moment-of.js';
import type { ChargedCall } from '#reconciliation/matching.js';
import { versionAt } from './account-history.js';

const BATCH_ROWS = 2_000;

interface CallRow {
  readonly version: number;
  readonly call_id: string;
  /** Ms since 1970. */
  readonly at: number;
  readonly data: string;
}

/** An account's calls between two moments (both included, ms since 1970), in order of time. */
export async function* chargedCalls(
  pool: pg.Pool,
  accountId: string,
  from: number,
  to: number,
): AsyncGenerator<readonly ChargedCall[]> {
  const lane = laneOf(accountId);
  let after = await withTransaction(pool, (client) => versionBefore(client, accountId, from));
  for (;;) {
    const { rows } = await pool.query<CallRow>({
      name: 'charged-calls',
      text: `select account_version as version, call_id,
                    (date_part('epoch', at) * 1000)::int8 as at, data::text as data
               from event
              where lane = $1 and account_id = $2 and type = 'CallMade'
                and account_version > $3 and at <= ${momentOfMs('$4')}
              order by account_version limit $5`,
      values: [lane, accountId, after, to, BATCH_ROWS],
    });
    yield rows.map(callOf);
    if (rows.length < BATCH_ROWS) return;
    after = rows.at(-1)?.version ?? after;
  }
}

/** Those among these calls that are the account's, in no order. */
export async function chargedCallsOf(
  pool: pg.Pool,
  accountId: string,
  callIds: readonly string[],
): Promise<readonly ChargedCall[]> {
  const { rows } = await pool.query<CallRow>({
    name: 'charged-calls-of',
    text: `select account_version as version, call_id,
                  (date_part('epoch', at) * 1000)::int8 as at, data::text as data
             from event
            where lane = $1 and call_id = any ($2) and account_id = $3 and type = 'CallMade'`,
    values: [laneOf(accountId), callIds, accountId],
  });
  return rows.map(callOf);
}

async function versionBefore(
  client: pg.ClientBase,
  accountId: string,
  from: number,
): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    name: 'newest-version',
    text: `select coalesce(max(account_version), 0)::int8 as version from event
            where lane = $1 and account_id = $2`,
    values: [laneOf(accountId), accountId],
  });
  const version = rows[0]?.version ?? 0;
  return version === 0 ? 0 : versionAt(client, { accountId, version }, Math.floor(from) - 1);
}

function callOf({ call_id: callId, at, data }: CallRow): ChargedCall {
  const { key, asked, window, cost, request } = JSON.parse(data) as CallMade;
  const [callCost, dataCost] = cost;
  return {
    callId,
    at,
    key,
    isLatest: asked === undefined,
    isRunning: window === undefined,
    credits: callCost + dataCost,
    requestId: request ?? null,
  };
}
