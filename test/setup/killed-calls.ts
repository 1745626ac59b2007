import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { checkReceipts } from './killed-receipts.js';
import type { Customer } from './service.js';

const CALLERS = 16;
const PATHS = ['us', 'gb', 'fr', 'kr'].flatMap((region) => [
  `/v1/latest/cat1/trends/top5/popindex/${region}/beauty`,
  `/v1/latest/cat1/trends/all/popindex/${region}/beauty`,
]);

/** A caller that makes one call after the other: ids of its answered calls, in order. */
interface Caller {
  readonly answered: string[];
  /** Every second caller asks for a receipt with each call. */
  readonly receipts: string[];
  /** How many it was answered before each kill: the last of them may be in doubt. */
  readonly beforeKills: number[];
  /** Under this name the call was made whose answer never came. */
  retried: string | undefined;
}

/** Callers of a service that is killed again and again, and what the log says of their calls. */
export class KilledCalls {
  private readonly callers: readonly Caller[] = Array.from({ length: CALLERS }, () => ({
    answered: [],
    receipts: [],
    beforeKills: [],
    retried: undefined,
  }));
  private keys = 0;

  constructor(
    private readonly customer: Customer,
    private readonly databaseUrl: string,
  ) {}

  /** Checks every receipt that was handed out; how many they are. */
  async checkReceipts(): Promise<number> {
    const handedOut = this.callers.flatMap(({ receipts }) => receipts);
    return (await checkReceipts(handedOut, this.customer, this.databaseUrl)).length;
  }

  get answers(): number {
    return this.callers.reduce((sum, { answered }) => sum + answered.length, 0);
  }

  /** Calls until `kill` has ended the service, which it does once `calls` more were answered. */
  async callUntilKilled(calls: number, kill: () => Promise<unknown>): Promise<void> {
    const enough = this.answers + calls;
    let killed: Promise<unknown> | undefined;
    const callers = this.callers.map(async (caller, index) => {
      // A service that is gone refuses each of them: nobody calls it again before the next start.
      while (await this.call(caller, index)) if (this.answers >= enough) killed ??= kill();
      caller.beforeKills.push(caller.answered.length);
    });
    await Promise.all(callers);
    await killed;
  }

  /** Every caller with a key asks once more for what it was never answered. */
  async retry(): Promise<void> {
    await Promise.all(this.callers.map((caller, index) => this.call(caller, index)));
    const open = this.callers.filter(({ retried }) => retried !== undefined);
    if (open.length > 0) throw new Error(`${open.length} retries were not answered.`);
  }

  /** Ids of calls whose charge stands and was answered to nobody. */
  async unanswered(): Promise<readonly string[]> {
    const { made, givenBack } = await this.logged();
    const answered = new Set(this.callers.flatMap((caller) => caller.answered));
    return [...made].filter((id) => !answered.has(id) && !givenBack.has(id));
  }

  /** How many were given back; of those that were answered only a caller's last before a kill. */
  async givenBack(): Promise<{ readonly calls: number; readonly inDoubt: number }> {
    const { made, givenBack } = await this.logged();
    const missing = this.callers.flatMap(({ answered }) => answered.filter((id) => !made.has(id)));
    if (missing.length > 0) throw new Error(`Answered and not in the log: ${missing.join(', ')}`);
    let inDoubt = 0;
    for (const { answered, beforeKills } of this.callers) {
      for (const [index, id] of answered.entries()) {
        if (!givenBack.has(id)) continue;
        if (!beforeKills.includes(index + 1)) throw new Error(`${id} was answered long before.`);
        inDoubt += 1;
      }
    }
    return { calls: givenBack.size, inDoubt };
  }

  /** False once there is nobody who answers. */
  private async call(caller: Caller, index: number): Promise<boolean> {
    const key = this.keyOf(caller, index);
    // A retry under a key is for the same path.
    const step = key === undefined ? index + caller.answered.length : index;
    const path = PATHS[step % PATHS.length] ?? '';
    caller.retried = key;
    const headers: Record<string, string> = {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(index % 2 === 0 && { prefer: 'receipt' }),
    };
    const answer = await this.customer.get(path, headers).catch(() => undefined);
    if (answer === undefined) return false;
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    caller.answered.push(answer.headers.get('call-id') ?? '');
    const receipt = answer.headers.get('receipt');
    if (receipt !== null) caller.receipts.push(receipt);
    caller.retried = undefined;
    return true;
  }

  /** Every fourth caller names its calls, and asks again for what it was not answered. */
  private keyOf(caller: Caller, index: number): string | undefined {
    if (index % 4 > 0) return undefined;
    this.keys += 1;
    return caller.retried ?? `pull-${index}-${this.keys}`;
  }

  private async logged(): Promise<{ made: Set<string>; givenBack: Set<string> }> {
    const pool = openDatabase({ url: this.databaseUrl, applicationName: 'killed-calls' });
    try {
      const log = new PostgresEventLog(pool);
      const made = new Set<string>();
      const givenBack = new Set<string>();
      for (let version = 0; ;) {
        const events = await log.readAccount(this.customer.accountId, version, 1_000);
        if (events.length === 0) return { made, givenBack };
        version += events.length;
        for (const { type, callId, data } of events) {
          if (type === 'CallMade') made.add(callId ?? '');
          if (type === 'Adjusted') givenBack.add((JSON.parse(data) as { call_id: string }).call_id);
        }
      }
    } finally {
      await pool.end();
    }
  }
}
