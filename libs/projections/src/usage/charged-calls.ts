import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import { laneOf } from '#event-log/event-log.js';
import { withTransaction } from '#database/database.js';
import type { ChargedCall } from '#reconciliation/matching.js';
import { versionAt } from './account-history.js';

const BATCH_ROWS = 2_000;
/** A call as JSON; one text for many calls costs a fraction of a row for each. */
const CALL = `'["' || call_id || '",' || (date_part('epoch', at) * 1000)::int8 || ',' || data || ']'`;

type CallText = readonly [callId: string, at: number, call: CallMade];

interface Batch {
  /** Version of the last call; null: there is none. */
  readonly last: number | null;
  /** A list of calls; null: there is none. */
  readonly calls: string | null;
}

/** Versions of an account. */
interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** An account's calls between two moments (both included, ms since 1970), in order of time. */
export async function* chargedCalls(
  pool: pg.Pool,
  accountId: string,
  from: number,
  to: number,
): AsyncGenerator<readonly ChargedCall[]> {
  const span = await withTransaction(pool, (client) => versionsIn(client, accountId, from, to));
  const batch = async (after: number): Promise<Batch> => {
    const { rows } = await pool.query<Batch>({
      name: 'charged-calls',
      text: `select max(version)::int8 as last,
                    '[' || string_agg(call, ',' order by version) || ']' as calls
               from (select account_version as version, ${CALL} as call
                       from event
                      where lane = $1 and account_id = $2 and type = 'CallMade'
                        and account_version > $3 and account_version <= $4
                      order by account_version limit ${BATCH_ROWS}) found`,
      values: [laneOf(accountId), accountId, after, span.upTo],
    });
    return rows[0] ?? { last: null, calls: null };
  };
  for (let coming = batch(span.after); ;) {
    const { last, calls } = await coming;
    if (last === null) return;
    // The database reads on while these calls are matched.
    coming = batch(last);
    // Nobody waits for it where the reader stops.
    coming.catch(() => undefined);
    yield callsIn(calls);
  }
}

/** Those among these calls that are the account's, in no order. */
export async function chargedCallsOf(
  pool: pg.Pool,
  accountId: string,
  callIds: readonly string[],
): Promise<readonly ChargedCall[]> {
  const { rows } = await pool.query<Pick<Batch, 'calls'>>({
    name: 'charged-calls-of',
    text: `select '[' || string_agg(${CALL}, ',') || ']' as calls
             from event
            where lane = $1 and call_id = any ($2) and account_id = $3 and type = 'CallMade'`,
    values: [laneOf(accountId), callIds, accountId],
  });
  return callsIn(rows[0]?.calls ?? null);
}

async function versionsIn(
  client: pg.ClientBase,
  accountId: string,
  from: number,
  to: number,
): Promise<Span> {
  const { rows } = await client.query<{ version: number }>({
    name: 'newest-version',
    text: `select coalesce(max(account_version), 0)::int8 as version from event
            where lane = $1 and account_id = $2`,
    values: [laneOf(accountId), accountId],
  });
  const version = rows[0]?.version ?? 0;
  if (version === 0) return { after: 0, upTo: 0 };
  const history = { accountId, version };
  return {
    after: await versionAt(client, history, Math.floor(from) - 1),
    upTo: await versionAt(client, history, Math.floor(to)),
  };
}

function callsIn(text: string | null): readonly ChargedCall[] {
  return (JSON.parse(text ?? '[]') as readonly CallText[]).map(([callId, at, call]) => ({
    callId,
    at,
    key: call.key,
    isLatest: call.asked === undefined,
    isRunning: call.window === undefined,
    credits: call.cost[0] + call.cost[1],
    requestId: call.request ?? null,
  }));
}
