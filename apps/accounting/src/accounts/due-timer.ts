import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { Accounting } from '../charging/accounting.js';

const PERIOD_MS = 1_000;
const ACCOUNTS_MAX = 500;
const NOT_AFTER_MS = 10_000;

/**
 * Sends a tick to accounts of which something has fallen due, so that it stands in the log also
 * when nobody calls. Several processes may do so: the second tick finds nothing to do.
 */
export class DueTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: pg.Pool,
    private readonly accounting: Accounting,
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.tickAll().catch(this.onFault);
      void this.running.then(() => this.timer && this.start());
    }, PERIOD_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async tickAll(): Promise<void> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<{ account_id: string }>(
      `select account_id from ledger_account
        where due_at <= to_timestamp($1::bigint / 1000.0) order by due_at limit $2`,
      [now, ACCOUNTS_MAX],
    );
    const notAfter = now + NOT_AFTER_MS;
    const ticks = rows.map(({ account_id: accountId }) =>
      this.accounting.submit({
        accountId,
        callId: randomUUID(),
        mayExist: false,
        notAfter,
        command: { command: 'tick' },
      }),
    );
    await Promise.all(ticks);
  }
}
