import type pg from 'pg';
import { WorkerLoop } from '#event-log/worker-loop.js';
import type { Invoicing } from './invoicing.js';
import { ifLeased } from './lease.js';
import type { ToDoList } from './to-do-list.js';

export interface InvoicingWorkerParts {
  readonly pool: pg.Pool;
  readonly invoicing: Pick<Invoicing, 'pass' | 'numberUnfinished' | 'overdue' | 'runs'> & {
    readonly toDo: Pick<ToDoList, 'hasAny'>;
  };
  readonly onFault: (error: unknown) => void;
  /** How long to wait when nothing is due, 250 ms by default. */
  readonly pollMs?: number;
}

const POLL_MS = 250;
const RETRY_FIRST_MS = 200;
const RETRY_MOST_MS = 5_000;
/** Searches for the work of failed processes often at first, and then rarely. */
const SEARCH_MS = 60_000;
const SEARCHES_AT_ONCE = 20;

/**
 * Issues invoices by itself as months are closed, and reports overdue ones. One in each accounting
 * process; a lease keeps them from doing the same work at the same time.
 */
export class InvoicingWorker {
  private readonly loop: WorkerLoop;
  private searches = 0;
  private searchAt = 0;

  constructor(private readonly parts: InvoicingWorkerParts) {
    this.loop = new WorkerLoop({
      turn: () => this.turn(),
      onFault: (error) => this.fail(error),
      pollMs: parts.pollMs ?? POLL_MS,
      retryFirstMs: RETRY_FIRST_MS,
      retryMostMs: RETRY_MOST_MS,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves when the page under way is issued. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private fail(error: unknown): void {
    // What was begun may stand there half done.
    this.searchAt = 0;
    this.parts.onFault(error);
  }

  private async turn(): Promise<number> {
    const { pool, invoicing } = this.parts;
    const isSearch = performance.now() >= this.searchAt;
    if (isSearch) await this.resumeRuns();
    const done = await ifLeased(pool, 'run', async () => {
      const found = isSearch ? await this.search() : 0;
      if (!isSearch && !(await invoicing.toDo.hasAny())) return found;
      const { issued } = await invoicing.pass(null, { isOver: () => this.loop.isStopping });
      return found + issued;
    });
    // Whoever is at work may fall, and leave something behind once the lease is free.
    if (done === undefined) this.searchAt = 0;
    return done ?? 0;
  }

  /** They work under the lease of this worker, and therefore beside it. */
  private async resumeRuns(): Promise<void> {
    const { invoicing, onFault } = this.parts;
    for (const ended of await invoicing.runs.resume()) ended.catch(onFault);
  }

  private async search(): Promise<number> {
    const { invoicing } = this.parts;
    const numbered = await invoicing.numberUnfinished();
    const accounts = await invoicing.overdue.candidates();
    for (const accountId of accounts) await invoicing.overdue.report(accountId);
    this.searches += 1;
    this.searchAt = this.searches < SEARCHES_AT_ONCE ? 0 : performance.now() + SEARCH_MS;
    return numbered + accounts.length;
  }
}
