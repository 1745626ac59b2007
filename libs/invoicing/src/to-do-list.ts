import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { DueMonth } from '#projections/invoices/account-closes.js';
import type { SealedDocument } from './sealed-document.js';
import {
  readAccountsToIssue,
  readMonthsToInvoice,
  readUnnumbered,
  type DuePlace,
} from './to-do-reads.js';

const PAGE_SIZE = 100;
/** How long work is left alone that cannot be done now. */
const POSTPONE_MS = {
  /** A month that differs is reported again and again until it is repaired. */
  months: 10 * 60_000,
  /** A document waits for a number, or for another event. */
  documents: 5_000,
} as const;

export interface ToDoParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly clock: Clock;
}

/**
 * The work of invoicing: closed months to invoice, documents that single events make due (invoices
 * of purchases, in the place of voided ones, credit notes of refunds), sealed documents to number,
 * and overdue invoices to report. The projection lags behind this process: a month that was dealt
 * with is not returned again while the projection still lists it.
 */
export class ToDoList {
  /** Months by account and label. */
  private done = new Set<string>();
  /** Accounts, by when their work is returned again. */
  private readonly postponed = {
    months: new Map<string, number>(),
    documents: new Map<string, number>(),
  };

  constructor(
    private readonly parts: ToDoParts,
    private readonly pageSize = PAGE_SIZE,
  ) {}

  /** Whether there is a month to invoice or a document to issue. */
  async hasAny(): Promise<boolean> {
    return (await this.hasMonths(null)) || (await this.accountsToIssue()).length > 0;
  }

  /** Months to invoice once, page by page, the oldest first. `upTo`: none after that month. */
  async *months(upTo: string | null): AsyncGenerator<readonly DueMonth[]> {
    const listed = new Set<string>();
    for (let after: DuePlace | null = null; ;) {
      const page = await readMonthsToInvoice(this.parts.pool, this.pageSize, upTo, after);
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

  async hasMonths(upTo: string | null): Promise<boolean> {
    for await (const page of this.months(upTo)) return page.length > 0;
    return false;
  }

  /** It has an invoice, or nothing to bill. */
  markDone(month: DueMonth): void {
    this.done.add(nameOf(month));
  }

  /** Accounts with documents to issue. */
  async accountsToIssue(): Promise<readonly string[]> {
    const accounts = await readAccountsToIssue(this.parts.pool);
    return accounts.filter((accountId) => !this.isPostponed('documents', accountId));
  }

  /** Sealed documents without a number, because their process failed. Oldest first. */
  unnumbered(): Promise<readonly SealedDocument[]> {
    return readUnnumbered(this.parts.pool, this.parts.log);
  }

  /** Returns work of that kind of an account again after a while. */
  postpone(kind: keyof typeof POSTPONE_MS, accountId: string): void {
    this.postponed[kind].set(accountId, this.parts.clock.now() + POSTPONE_MS[kind]);
  }

  /** Returns work of that kind again now: of one account, or of all. */
  resume(kind: keyof typeof POSTPONE_MS, accountId?: string): void {
    if (accountId === undefined) this.postponed[kind].clear();
    else this.postponed[kind].delete(accountId);
  }

  private isPostponed(kind: keyof typeof POSTPONE_MS, accountId: string): boolean {
    return (this.postponed[kind].get(accountId) ?? -Infinity) > this.parts.clock.now();
  }

  private isOpen(month: DueMonth): boolean {
    return !this.isPostponed('months', month.accountId) && !this.done.has(nameOf(month));
  }
}

function nameOf({ accountId, month }: DuePlace): string {
  return `${accountId} ${month}`;
}
