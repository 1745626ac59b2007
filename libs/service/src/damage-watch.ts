import type pg from 'pg';
import { readDamage, type DamagedAccount } from '#event-log/damaged-accounts.js';
import { WorkerLoop } from '#event-log/worker-loop.js';
import type { Log } from '#web/log.js';

const POLL_MS = 1_000;
const RETRY_MOST_MS = 5_000;
/** Where more are damaged it is no row any more, and their number says so. */
const LOGGED_MAX = 1_000;

/**
 * Logs an error for each account that is damaged when a process starts, and for each that becomes
 * it, whichever process or command has found it. One that was repaired and is damaged again is
 * logged again.
 */
export class DamageWatch {
  private readonly loop: WorkerLoop;
  private known: ReadonlySet<string> = new Set();

  constructor(
    private readonly pool: pg.Pool,
    private readonly logger: Pick<Log, 'error' | 'warn'>,
    pollMs = POLL_MS,
  ) {
    this.loop = new WorkerLoop({
      turn: () => this.look(),
      onFault: (err) => logger.warn({ err }, 'It cannot be seen which accounts are damaged.'),
      pollMs,
      retryFirstMs: pollMs,
      retryMostMs: RETRY_MOST_MS,
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<0> {
    const damage = await readDamage(this.pool, { limit: LOGGED_MAX });
    const now = new Map(damage.map((each) => [nameOf(each), each]));
    for (const [name, each] of now) {
      if (this.known.has(name)) continue;
      const { version: account_version, accountId, ...place } = each;
      this.logger.error(
        { ...place, accountId, account_version },
        'An account is damaged: it alone answers 503 until its event is repaired.',
      );
    }
    this.known = new Set(now.keys());
    return 0;
  }
}

function nameOf({ projection, lane, accountId, position }: DamagedAccount): string {
  return `${projection} ${lane} ${accountId} ${position}`;
}
