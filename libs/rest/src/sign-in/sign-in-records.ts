import { randomInt } from 'node:crypto';
import type pg from 'pg';

export type SignInOutcome = 'signed-in' | 'sign-in-failed' | 'role-denied';

/** Where it was and whose it was: ids only, never what was sent. */
export interface SignInAbout {
  readonly door: 'admin' | 'console' | 'portal';
  readonly by?: string;
  readonly account_id?: string;
  readonly route?: string;
}

const MINUTE_MS = 60_000;
/** So many a minute and outcome are named; further ones are counted together. */
const NAMED_MAX = 50;
/** In place of the address of those that are counted together. */
export const OTHERS = 'others';
/**
 * While the database is away the oldest rows beyond these are given up; the service's log has them.
 */
const WAITING_MAX = 2_000;
const POSITION_MAX = 2 ** 48 - 1;

interface WaitingRecord {
  readonly minute: string;
  readonly outcome: SignInOutcome;
  readonly door: string;
  readonly address: string;
  /** Empty: nobody is known. */
  readonly subject: string;
  readonly account_id: string | null;
  readonly route: string | null;
  /** The first of them. */
  readonly at: string;
  readonly position: number;
  times: number;
}

/**
 * Sign-ins, failed ones and denied roles as the audit shows them: a row for each minute, outcome,
 * address and subject. Requests only count; `flush` writes.
 */
export class SignInRecords {
  private minute = 0;
  private readonly named = new Map<SignInOutcome, Set<string>>();
  private waiting = new Map<string, WaitingRecord>();
  private flushing: Promise<void> = Promise.resolve();

  constructor(private readonly pool: pg.Pool) {}

  /** Counts one at `now`, ms since 1970; asks nobody. */
  count(outcome: SignInOutcome, address: string, about: SignInAbout, now: number): void {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.minute) this.named.clear();
    this.minute = minute;
    const isNamed = this.isNamed(outcome, `${about.door} ${address} ${about.by ?? ''}`);
    const { by = '', account_id = null, route = null } = isNamed ? about : {};
    this.add({
      minute: new Date(minute).toISOString(),
      outcome,
      door: about.door,
      address: isNamed ? address : OTHERS,
      subject: by,
      account_id,
      route,
      at: new Date(now).toISOString(),
      position: randomInt(POSITION_MAX),
      times: 1,
    });
  }

  /** Writes what was counted. What could not be written waits for the next time; rejects then. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(
      () => this.write(),
      () => this.write(),
    );
    return this.flushing;
  }

  /** Forgets what was before a moment, in ms since 1970. */
  async forgetBefore(moment: number): Promise<void> {
    await this.pool.query('delete from sign_in_record where at < $1', [new Date(moment)]);
  }

  /** Forgets the addresses of an account that is erased. */
  async forgetAccount(accountId: string): Promise<void> {
    await this.flush();
    await this.pool.query('delete from sign_in_record where account_id = $1', [accountId]);
  }

  private isNamed(outcome: SignInOutcome, who: string): boolean {
    const named = this.named.get(outcome) ?? new Set();
    this.named.set(outcome, named);
    if (named.size < NAMED_MAX) named.add(who);
    return named.has(who);
  }

  private add(row: WaitingRecord): void {
    const { minute, outcome, door, address, subject } = row;
    const key = [minute, outcome, door, address, subject].join(' ');
    const before = this.waiting.get(key);
    if (before === undefined) this.waiting.set(key, row);
    else before.times += row.times;
    if (this.waiting.size <= WAITING_MAX) return;
    const [oldest = key] = this.waiting.keys();
    this.waiting.delete(oldest);
  }

  private async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const taken = this.waiting;
    this.waiting = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    try {
      await this.pool.query({
        name: 'sign-in-record',
        text: `insert into sign_in_record
               select * from json_populate_recordset(null::sign_in_record, $1::json)
               on conflict (minute, outcome, door, address, subject)
               do update set times = sign_in_record.times + excluded.times`,
        values: [JSON.stringify(rows)],
      });
    } catch (error) {
      const counted = this.waiting;
      this.waiting = new Map();
      for (const row of [...taken.values(), ...counted.values()]) this.add(row);
      throw error;
    }
  }
}
