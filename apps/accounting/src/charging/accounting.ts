import { AccountingUnavailableError } from '#account/charging.js';
import type { Terms } from '#account/decide-call.js';
import type { Clock } from '#calendar/clock.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { AccountLoader } from '#ledger/account-loader.js';
import { AccountCache } from './account-cache.js';
import { LaneWriter, type LaneWriterEvents, type LaneWriterLimits } from './lane-writer.js';
import type { Answer, Submission } from './submission.js';

export interface AccountingLimits extends LaneWriterLimits {
  /** Lane writers, each with one transaction in flight. */
  readonly writers: number;
  /** Accounts, and opened keys of all accounts together, that a writer keeps in memory. */
  readonly accountsMax: number;
  readonly keysMax: number;
}

export const DEFAULT_LIMITS: AccountingLimits = {
  writers: 2,
  batchMax: 512,
  queueMax: 20_000,
  accountsMax: 50_000,
  keysMax: 1_000_000,
};

export interface AccountingParts {
  readonly log: EventLog;
  readonly loader: AccountLoader;
  readonly clock: Clock;
  readonly terms: () => Terms;
  readonly events: LaneWriterEvents;
  readonly limits?: AccountingLimits;
}

/** All lane writers of a process: every command of an account goes through the one of its lane. */
export class Accounting {
  private readonly writers: readonly LaneWriter[];

  constructor({ log, loader, clock, terms, events, limits = DEFAULT_LIMITS }: AccountingParts) {
    this.writers = Array.from({ length: limits.writers }, () => {
      const cache = new AccountCache(limits.accountsMax, limits.keysMax);
      return new LaneWriter(log, loader, cache, clock, terms, limits, events);
    });
  }

  /** Resolves once the answer is durable. Throws AccountingUnavailableError, OutcomeUnknownError. */
  async submit(submission: Submission): Promise<Answer> {
    const writer = this.writers[laneOf(submission.accountId) % this.writers.length];
    if (writer === undefined) throw new AccountingUnavailableError('No lane writer runs.');
    return writer.submit(submission);
  }

  /** Commands that wait in all writers. */
  get waiting(): number {
    return this.writers.reduce((sum, writer) => sum + writer.waiting, 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.writers.map((writer) => writer.stop()));
  }
}
