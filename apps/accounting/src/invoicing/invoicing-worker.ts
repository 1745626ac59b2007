import type pg from 'pg';
import { Alarm, growingWaitMs } from '#event-log/alarm.js';
import type { Invoicing } from './invoicing.js';
import { ifLeased } from './lease.js';

export interface InvoicingWorkerParts {
  readonly pool: pg.Pool;
  readonly invoicing: Pick<Invoicing, 'isDue' | 'page' | 'numberStranded' | 'overdue'>;
  readonly onFault: (error: unknown) => void;
  /** How long to wait when nothing is due, 500 ms unless told. */
  readonly pollMs?: number;
}

const POLL_MS = 500;
const RETRY_FIRST_MS = 200;
const RETRY_MOST_MS = 10_000;
/** What a fallen process has left is looked for often at first, and then now and then. */
const SEARCH_MS = 60_000;
const SEARCHES_AT_ONCE = 20;

/**
 * Issues invoices by itself as months are closed, and tells what is overdue. One in each accounting
 * process; a lease keeps them from doing the same work at the same time.
 */
export class InvoicingWorker {
  private readonly alarm = new Alarm();
  private stopping = false;
  private running: Promise<void> = Promise.resolve();
  private searches = 0;
  private searchAt = 0;

  constructor(private readonly parts: InvoicingWorkerParts) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves when the page under way is finished. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      try {
        const done = await this.turn();
        failures = 0;
        if (done === 0) await this.alarm.wait(this.parts.pollMs ?? POLL_MS);
      } catch (error) {
        failures += 1;
        // What was begun may stand there half done.
        this.searchAt = 0;
        this.parts.onFault(error);
        await this.alarm.wait(growingWaitMs(failures, RETRY_FIRST_MS, RETRY_MOST_MS));
      }
    }
  }

  private async turn(): Promise<number> {
    const { pool, invoicing } = this.parts;
    const isSearch = performance.now() >= this.searchAt;
    if (!isSearch && !(await invoicing.isDue())) return 0;
    const done = await ifLeased(pool, 'run', async () => {
      const found = isSearch ? await this.search() : 0;
      return found + (await invoicing.page()).issued;
    });
    return done ?? 0;
  }

  private async search(): Promise<number> {
    const { invoicing } = this.parts;
    const numbered = await invoicing.numberStranded();
    const accounts = await invoicing.overdue.candidates();
    for (const accountId of accounts) await invoicing.overdue.tell(accountId);
    this.searches += 1;
    this.searchAt = this.searches < SEARCHES_AT_ONCE ? 0 : performance.now() + SEARCH_MS;
    return numbered + accounts.length;
  }
}
