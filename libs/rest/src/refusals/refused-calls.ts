import { randomInt } from 'node:crypto';
import type pg from 'pg';

/** A call that was refused. */
export interface RefusedCall {
  readonly accountId: string;
  readonly keyId: string;
  /** As sent; empty: no path of a resource. */
  readonly path: string;
  readonly code: string;
  /** Its cost; null where the price was not looked up. */
  readonly requiredCredits: number | null;
  /** Ms since 1970 on the account's clock. */
  readonly at: number;
}

const HOUR_MS = 3_600_000;
/** Rows of an account that are kept, the newest. */
export const KEPT_MAX = 1_000;
/** URLs of an account that are named between two writes; further ones are counted together. */
const NAMED_MAX = 100;
/** Rows of a process that wait to be written, also while the database is away. */
const WAITING_MAX = 5_000;
const POSITION_MAX = 2 ** 48 - 1;

interface WaitingCount {
  readonly account_id: string;
  readonly hour: string;
  readonly api_key_id: string;
  readonly code: string;
  readonly path: string;
  readonly first_at: string;
  readonly position: number;
  last: number;
  times: number;
  required_credits: number | null;
}

/**
 * Refused calls as customers and operators are shown them: a row for each hour, API key, reason and
 * URL. Calls only count, in bounded memory; `flush` writes, and keeps so many rows of an account.
 */
export class RefusedCalls {
  private waiting = new Map<string, WaitingCount>();
  private named = new Map<string, number>();
  private flushing: Promise<void> = Promise.resolve();
  private lost = 0;

  constructor(private readonly pool: pg.Pool) {}

  /** Refusals that no row counts, because too many of them were waiting. */
  get uncounted(): number {
    return this.lost;
  }

  /** Counts one; asks nobody. */
  count(call: RefusedCall): void {
    if (this.addTo(call, call.path)) return;
    const named = this.named.get(call.accountId) ?? 0;
    const path = named < NAMED_MAX ? call.path : '';
    if (path === '' && this.addTo(call, path)) return;
    if (this.waiting.size >= WAITING_MAX) {
      this.lost += 1;
      return;
    }
    this.named.set(call.accountId, named + 1);
    this.waiting.set(keyOf(call, path), {
      account_id: call.accountId,
      hour: new Date(hourOf(call.at)).toISOString(),
      api_key_id: call.keyId,
      code: call.code,
      path,
      first_at: new Date(call.at).toISOString(),
      position: randomInt(POSITION_MAX),
      last: call.at,
      times: 1,
      required_credits: call.requiredCredits,
    });
  }

  /** Writes what was counted. What could not be written waits for the next time; rejects then. */
  flush(): Promise<void> {
    const write = (): Promise<void> => this.write();
    this.flushing = this.flushing.then(write, write);
    return this.flushing;
  }

  private addTo(call: RefusedCall, path: string): boolean {
    const row = this.waiting.get(keyOf(call, path));
    if (row === undefined) return false;
    row.times += 1;
    row.last = Math.max(row.last, call.at);
    row.required_credits = call.requiredCredits;
    return true;
  }

  private async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const taken = this.waiting;
    this.waiting = new Map();
    this.named = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    try {
      await this.insert(rows);
    } catch (error) {
      this.putBack(taken);
      throw error;
    }
    await this.prune([...new Set(rows.map((row) => row.account_id))]);
  }

  private async insert(rows: readonly WaitingCount[]): Promise<void> {
    const values = rows.map(({ last, ...row }) => ({ ...row, last_at: new Date(last) }));
    await this.pool.query({
      name: 'refused-calls',
      text: `insert into refused_call as known
             select * from json_populate_recordset(null::refused_call, $1::json)
             on conflict (account_id, hour, api_key_id, code, path) do update set
               times = known.times + excluded.times,
               first_at = least(known.first_at, excluded.first_at),
               last_at = greatest(known.last_at, excluded.last_at),
               required_credits = excluded.required_credits`,
      values: [JSON.stringify(values)],
    });
  }

  private async prune(accounts: readonly string[]): Promise<void> {
    await this.pool.query({
      name: 'refused-calls-kept',
      text: `delete from refused_call old
              using unnest($1::uuid[]) as account (id),
                    lateral (select last_at, position from refused_call
                              where account_id = account.id
                              order by last_at desc, position desc
                              offset $2 limit 1) as first
              where old.account_id = account.id
                and (old.last_at, old.position) <= (first.last_at, first.position)`,
      values: [accounts, KEPT_MAX],
    });
  }

  private putBack(taken: ReadonlyMap<string, WaitingCount>): void {
    for (const [key, row] of taken) {
      const newer = this.waiting.get(key);
      if (newer !== undefined) newer.times += row.times;
      else if (this.waiting.size < WAITING_MAX) this.waiting.set(key, row);
      else this.lost += row.times;
    }
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

function keyOf({ accountId, keyId, code, at }: RefusedCall, path: string): string {
  return `${accountId} ${hourOf(at)} ${keyId} ${code} ${path}`;
}
