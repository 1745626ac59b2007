import { AccountingUnavailableError } from '#account/charging.js';
import { laneOf } from '#event-log/event-log.js';
import type { AccountSource } from '#ledger/account-source.js';
import type { PartState } from '#web/readiness.js';
import { AccountCache } from './account-cache.js';
import { KnownState } from './known-state.js';
import { LaneWriter } from './lane-writer.js';
import type { LaneWriterLimits, LaneWriterParts } from './lane-writer-parts.js';
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

export interface AccountingParts extends Omit<LaneWriterParts, 'known' | 'limits'> {
  readonly loader: AccountSource;
  readonly limits?: AccountingLimits;
  /** Whether the clock can be trusted: a bad one must never open next week's windows. */
  readonly clockState?: () => PartState;
}

const TRUSTED: PartState = { ready: true };

/** All lane writers of a process: every command of an account goes through the one of its lane. */
export class Accounting {
  private readonly writers: readonly LaneWriter[];
  private readonly clockState: () => PartState;

  constructor({ loader, limits = DEFAULT_LIMITS, clockState, ...parts }: AccountingParts) {
    this.clockState = clockState ?? (() => TRUSTED);
    this.writers = Array.from({ length: limits.writers }, () => {
      const cache = new AccountCache(limits.accountsMax, limits.keysMax);
      return this.createWriter({ ...parts, limits }, loader, cache);
    });
  }

  protected createWriter(
    parts: Omit<LaneWriterParts, 'known'>,
    loader: AccountSource,
    cache: AccountCache,
  ): LaneWriter {
    return new LaneWriter({ ...parts, known: new KnownState(parts.log, loader, cache) });
  }

  /** Resolves once the answer is durable. Throws AccountingUnavailableError, OutcomeUnknownError. */
  async submit(submission: Submission): Promise<Answer> {
    const { ready, detail = '' } = this.clockState();
    if (!ready) throw new AccountingUnavailableError(`The clock cannot be trusted: ${detail}`);
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
