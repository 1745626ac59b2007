import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { DueMonth } from '#projections/invoices/account-closes.js';
import { readDueMonths, type DuePlace } from './due-months.js';

const PAGE_SIZE = 100;
/** A month that differs is reported again and again until it is repaired. */
const LOOK_AGAIN_MS = 10 * 60_000;

/**
 * Months to invoice, page by page. The projection lags behind this process: a month that was dealt
 * with is not returned again while the projection still lists it.
 */
export class DueList {
  /** By account and month. */
  private done = new Set<string>();
  /** Accounts whose month differs, by when it is looked at again. */
  private readonly differing = new Map<string, number>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    private readonly pageSize = PAGE_SIZE,
  ) {}

  /** Everything once, the oldest months first. `upTo`: none after that month. */
  async *pages(upTo: string | null): AsyncGenerator<readonly DueMonth[]> {
    const listed = new Set<string>();
    for (let after: DuePlace | null = null; ;) {
      const page = await readDueMonths(this.pool, this.pageSize, upTo, after);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last;
      for (const month of page) listed.add(nameOf(month));
      const open = page.filter((month) => this.isOpen(month));
      if (open.length > 0) yield open;
    }
    // What is not listed any more needs no remembering.
    if (upTo === null) this.done = new Set([...this.done].filter((name) => listed.has(name)));
  }

  /** Whether there is anything to be dealt with. */
  async hasAny(upTo: string | null): Promise<boolean> {
    for await (const page of this.pages(upTo)) return page.length > 0;
    return false;
  }

  /** It has an invoice, or nothing to bill. */
  markDone(month: DueMonth): void {
    this.done.add(nameOf(month));
  }

  /** Somebody has to look at it first. */
  markDiffering({ accountId }: DueMonth): void {
    this.differing.set(accountId, this.clock.now() + LOOK_AGAIN_MS);
  }

  /** Somebody asks for a run, and may have looked. */
  forgetDiffering(): void {
    this.differing.clear();
  }

  private isOpen(month: DueMonth): boolean {
    const until = this.differing.get(month.accountId) ?? -Infinity;
    return until <= this.clock.now() && !this.done.has(nameOf(month));
  }
}

function nameOf({ accountId, month }: DuePlace): string {
  return `${accountId} ${month}`;
}
