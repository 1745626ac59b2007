import { AccountingUnavailableError } from '#account/charging.js';
import type { AccountState } from '#account/state.js';
import { laneOf } from '#event-log/event-log.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { openedWith } from '#projections/texts/readable.js';
import { saysText, encryptedCommand } from '#projections/texts/encrypted-command.js';
import type { TextKey } from '#projections/texts/text-key.js';
import type { TextKeys } from '#projections/texts/text-keys.js';
import type { PartState } from '#web/readiness.js';
import { AccountCache } from './account-cache.js';
import { KnownState } from './known-state.js';
import { LaneWriter } from './lane-writer.js';
import type { LaneWriterLimits, LaneWriterParts } from './lane-writer-parts.js';
import type { Answer, Submission } from './submission.js';
import { AppendSlots } from './append-slots.js';

export interface AccountingLimits extends LaneWriterLimits {
  /** Groups of lanes that are decided and appended at once. */
  readonly appends: number;
  /** Commands that a group gathers before it is appended beside another one. */
  readonly minBatchWhileBusy: number;
  /** Accounts, and opened keys of all accounts together, that are kept in memory. */
  readonly accountsMax: number;
  readonly keysMax: number;
}

export const DEFAULT_LIMITS: AccountingLimits = {
  appends: 2,
  minBatchWhileBusy: 64,
  batchMax: 512,
  queueMax: 20_000,
  accountsMax: 100_000,
  keysMax: 2_000_000,
};

export interface AccountingParts extends Omit<LaneWriterParts, 'known' | 'limits' | 'turns'> {
  readonly loader: AccountSource;
  readonly limits?: AccountingLimits;
  /** Whether the clock can be trusted: a bad one must never open next week's windows. */
  readonly clockState?: () => PartState;
  /** Unless given, texts stand in events as they are said. */
  readonly texts?: TextKeys | undefined;
}

const TRUSTED: PartState = { ready: true };

/** A lane writer for each group of lanes: every command of an account goes through its group's. */
export class Accounting {
  /** By lane. */
  private readonly writers = new Map<number, LaneWriter>();
  private readonly clockState: () => PartState;
  private readonly termsState: () => PartState;
  private readonly texts: TextKeys | undefined;
  private readonly turns: AppendSlots;

  constructor({ loader, limits = DEFAULT_LIMITS, clockState, texts, ...parts }: AccountingParts) {
    const { liveTerms } = parts;
    this.texts = texts;
    if (texts !== undefined) parts.watch?.register(texts);
    this.clockState = clockState ?? (() => TRUSTED);
    this.termsState = () => liveTerms?.state() ?? TRUSTED;
    const { groups } = parts.log;
    // A cluster has more groups, which gather less, and servers that work side by side.
    const minBatchWhileBusy = groups.length > limits.appends ? 1 : limits.minBatchWhileBusy;
    this.turns = new AppendSlots(limits.appends, minBatchWhileBusy);
    for (const group of groups) {
      const cache = new AccountCache(
        Math.ceil(limits.accountsMax / groups.length),
        Math.ceil(limits.keysMax / groups.length),
      );
      const writer = this.createWriter({ ...parts, limits, turns: this.turns }, loader, cache);
      for (const lane of group) this.writers.set(lane, writer);
    }
  }

  protected createWriter(
    parts: Omit<LaneWriterParts, 'known'>,
    loader: AccountSource,
    cache: AccountCache,
  ): LaneWriter {
    const known = new KnownState(parts.log, loader, cache, parts.liveTerms, parts.watch);
    parts.watch?.register(known);
    return new LaneWriter({ ...parts, known });
  }

  /** Resolves once it is durable. Throws AccountingUnavailableError, OutcomeUnknownError. */
  submit(submission: Submission): Promise<Answer<AccountState>> {
    const { texts } = this;
    if (texts === undefined || !saysText(submission.command)) return this.decide(submission);
    const key = texts.atHand(submission.accountId);
    return key === undefined
      ? this.submitKeyless(submission, texts)
      : this.encrypt(submission, key);
  }

  private async submitKeyless(
    submission: Submission,
    texts: TextKeys,
  ): Promise<Answer<AccountState>> {
    const found = await texts.of(submission.accountId).catch((error: unknown) => {
      throw new AccountingUnavailableError(`The keys of texts are away: ${String(error)}`);
    });
    return this.encrypt(submission, found);
  }

  /** No free text comes into an event as it is said: the answer to an operator shows it again. */
  private async encrypt(
    submission: Submission,
    key: TextKey | null,
  ): Promise<Answer<AccountState>> {
    const command = encryptedCommand(submission.command, key);
    const answer = await this.decide({ ...submission, command });
    if (command.command === 'make-call' || answer.refusal !== null) return answer;
    const { event } = answer;
    return event === null ? answer : { ...answer, event: openedWith(key, event) };
  }

  private decide(submission: Submission): Promise<Answer<AccountState>> {
    const { ready, detail = '' } = this.clockState();
    if (!ready) return unavailable(`The clock cannot be trusted: ${detail}`);
    const terms = this.termsState();
    if (!terms.ready) return unavailable(`A rate card may be missing: ${terms.detail ?? ''}`);
    const writer = this.writers.get(laneOf(submission.accountId));
    return writer?.submit(submission) ?? unavailable('No lane writer runs.');
  }

  /** Commands that wait in all writers. */
  get waiting(): number {
    return this.all().reduce((sum, writer) => sum + writer.waiting, 0);
  }

  /** To be called every so often: a writer whose append hangs answers nobody by itself. */
  giveUpLate(): void {
    for (const writer of this.all()) writer.giveUpLate();
    this.turns.passLate();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((writer) => writer.stop()));
  }

  private all(): LaneWriter[] {
    return [...new Set(this.writers.values())];
  }
}

function unavailable(reason: string): Promise<never> {
  return Promise.reject(new AccountingUnavailableError(reason));
}
