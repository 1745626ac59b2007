import type { StoredEvent } from '#event-log/event-log.js';
import { laneOf, type EventLog, type LaneEnd } from '#event-log/event-log.js';
import { findLost, isSameEnd } from '#event-log/lane-continuity.js';
import type { LaneHolder, LaneWatch } from '#event-log/lane-watch.js';
import { pinName } from '#account/calls.js';
import type { AccountDamagedError } from '#account/charging.js';
import { ownCard } from '#account/own-cards.js';
import { recall } from '#account/state.js';
import { knowsKey, type LoadedAccount } from '#projections/snapshots/account-row.js';
import type { AccountSource, KeyOfAccount } from '#projections/loading/account-source.js';
import { follow, unopened } from '#projections/snapshots/account-tail.js';
import { adjustmentIdOf, replayIdOf } from './command-id.js';
import type { LiveTerms } from './live-terms.js';
import type { AccountCache } from './account-cache.js';
import { correctedCalls, type LaneBatch } from './fold.js';
import type { Known } from './read-ahead.js';
import type { Pending } from './submission.js';

const TAIL_PAGE = 1_000;

/** Reads that are needed before a batch is folded. */
interface NeededReads {
  readonly keys: KeyOfAccount[];
  /** Versions of rate cards. */
  readonly cards: ReadonlySet<number>;
  /** Whether a card may be in force that was published a moment ago. */
  readonly isAhead: boolean;
}

/**
 * State that a lane writer knows to be committed: its lanes' ends, accounts, and ids it looked up.
 * All that is kept of a lane belongs to the one history that its end closes. An append takes an end
 * only where the log still stands there; where the log does not continue it, all of the lane is
 * read again.
 */
export class KnownState implements Known, LaneHolder {
  private readonly known = new Map<number, LaneEnd>();
  private readonly outdated = new Set<number>();
  private readonly forgotten = new Set<number>();
  private found = new Map<string, StoredEvent>();
  private damaged = new Map<string, AccountDamagedError>();

  constructor(
    private readonly log: EventLog,
    private readonly source: AccountSource,
    private readonly cache: AccountCache,
    private readonly terms?: Pick<LiveTerms, 'has' | 'refresh' | 'sells'>,
    private readonly watch?: Pick<LaneWatch, 'lost'>,
  ) {}

  ends(): Iterable<LaneEnd> {
    return this.known.values();
  }

  /** At the next batch: the one under way is written only if the log stands where it thinks. */
  forget(lane: number): void {
    this.forgotten.add(lane);
  }

  account(accountId: string): LoadedAccount {
    const account = this.cache.get(accountId);
    if (account === undefined) throw new Error(`Account ${accountId} was not loaded.`);
    return account;
  }

  first(callId: string): StoredEvent | undefined {
    return this.found.get(callId);
  }

  adjusted(callId: string): boolean {
    return this.found.has(adjustmentIdOf(callId));
  }

  replayed(callId: string): boolean {
    return this.found.has(replayIdOf(callId));
  }

  end(lane: number): LaneEnd {
    const end = this.known.get(lane);
    if (end === undefined) throw new Error(`The end of lane ${lane} is not known.`);
    return end;
  }

  /** A lane was written: its end moves, and its accounts stand where the events left them. */
  advance(end: LaneEnd, { accounts, applied, grown }: LaneBatch): void {
    this.known.set(end.lane, end);
    for (const [id, account] of accounts) this.cache.set(id, account);
    for (const accountId of grown) this.cache.grow(accountId);
    applied.length = 0;
  }

  /** Something else may have been written: the lane's tail is read before anything is decided. */
  outdate(lane: number): void {
    if (this.known.has(lane)) this.outdated.add(lane);
  }

  shrink(): void {
    this.cache.shrink();
  }

  /** Why nothing can be decided about an account of the batch, if so. */
  damage(accountId: string): AccountDamagedError | undefined {
    return this.damaged.get(accountId);
  }

  /**
   * Makes sure that all is known which deciding these commands takes. Answers those that can be
   * decided: all but those of damaged accounts.
   */
  async prepare(asked: readonly Pending[]): Promise<readonly Pending[]> {
    if (this.damaged.size > 0) this.damaged = new Map();
    let batch = asked;
    let unknown: NeededReads;
    do {
      this.dropForgotten();
      for (const lane of this.outdated) await this.catchUp(lane);
      await this.loadMissing(batch);
      if (this.damaged.size > 0) batch = asked.filter((pending) => this.isSound(pending));
      await this.findCalls(batch);
      unknown = this.unknownTo(batch);
      if (unknown.keys.length > 0) await this.lookUpKeys(unknown.keys);
    } while (this.outdated.size > 0);
    if (unknown.isAhead) await this.terms?.refresh();
    for (const version of unknown.cards) await this.terms?.has(version);
    return batch;
  }

  private isSound({ submission }: Pending): boolean {
    return !this.damaged.has(submission.accountId);
  }

  private dropForgotten(): void {
    // To clear a set makes a new table, also where it is empty.
    if (this.forgotten.size === 0) return;
    for (const lane of this.forgotten) this.drop(lane);
    this.forgotten.clear();
  }

  private drop(lane: number): void {
    this.known.delete(lane);
    this.outdated.delete(lane);
    this.cache.dropLane(lane);
  }

  private async catchUp(lane: number): Promise<void> {
    const [newest] = await this.log.ends([lane]);
    if (newest === undefined) throw new Error(`The log has no lane ${lane}.`);
    await this.continueTo(newest);
  }

  /** Brings the state of a lane to an end that the log returned, or drops it where it is lost. */
  private async continueTo(newest: LaneEnd): Promise<void> {
    const { lane } = newest;
    const end = this.known.get(lane);
    if (end !== undefined && !isSameEnd(end, newest)) {
      const lost = await findLost(this.log, end, newest);
      const isRead = lost === null && (await this.readTail(end, newest));
      if (!isRead) this.drop(lane);
      if (lost !== null) this.watch?.lost(lost);
      // Nothing is held any more that would have to belong to an end.
      if (!isRead) return;
    }
    if (end !== undefined) this.known.set(lane, newest);
    this.outdated.delete(lane);
  }

  /** False when the log went back meanwhile: the events are not those of the end. */
  private async readTail({ lane, position }: LaneEnd, newest: LaneEnd): Promise<boolean> {
    for (let read = position; read < newest.position;) {
      const limit = Math.min(TAIL_PAGE, newest.position - read);
      const events = await this.log.read(lane, read, limit);
      if (events.length === 0) return false;
      for (const event of events) this.see(event);
      read += events.length;
    }
    return true;
  }

  private see(event: StoredEvent): void {
    const account = this.cache.get(event.accountId);
    if (account === undefined) return;
    try {
      this.cache.set(event.accountId, follow(account, event));
    } catch {
      // Loaded again, it shows what is wrong with it.
      this.cache.drop(event.accountId);
    }
  }

  private async loadMissing(batch: readonly Pending[]): Promise<void> {
    // What is loaded may show that the lane is another one: then nothing of it is held any more.
    for (let ids = this.missing(batch); ids.length > 0; ids = this.missing(batch)) {
      const { accounts, damaged, ends } = await this.source.load(ids);
      for (const end of ends.values()) await this.continueTo(end);
      for (const [lane, end] of ends) if (!this.known.has(lane)) this.known.set(lane, end);
      // Last, when the lane stands where they do: ahead of it they would belong to no end.
      for (const [id, account] of accounts) this.cache.set(id, account);
      for (const [id, damage] of damaged ?? []) this.damaged.set(id, damage);
    }
  }

  private missing(batch: readonly Pending[]): string[] {
    const missing = new Set<string>();
    for (const { submission } of batch) {
      const { accountId } = submission;
      if (!this.cache.has(accountId) && !this.damaged.has(accountId)) missing.add(accountId);
    }
    return [...missing];
  }

  private async findCalls(batch: readonly Pending[]): Promise<void> {
    this.found = new Map();
    const asked = batch.filter(
      ({ isRetry, submission: { command } }) => isRetry || correctedCalls(command).length > 0,
    );
    if (asked.length === 0) return;
    const references = asked.flatMap(
      ({ submission: { accountId, callId, skipIfLogged, command } }) => {
        const ids = [callId, adjustmentIdOf(callId), skipIfLogged ?? replayIdOf(callId)];
        for (const id of correctedCalls(command)) ids.push(id, adjustmentIdOf(id));
        return ids.map((id) => ({ lane: laneOf(accountId), callId: id }));
      },
    );
    for (const event of await this.log.findCalls(references)) {
      if (event.callId !== null) this.found.set(event.callId, event);
      if (event.position > this.end(event.lane).position) this.outdate(event.lane);
    }
  }

  /**
   * Reads that the accounts alone do not answer. Cards for all are known long before they price;
   * one that an account names may be a moment old, and so may the card of a window that a test
   * clock has just moved into.
   */
  private unknownTo(batch: readonly Pending[]): NeededReads {
    const keys: KeyOfAccount[] = [];
    const cards = new Set<number>();
    let isAhead = false;
    for (const { submission } of batch) {
      const { accountId, command } = submission;
      if (command.command !== 'make-call') continue;
      const account = this.account(accountId);
      const { key, window } = command.request;
      if (!knowsKey(account, key)) keys.push({ accountId, key });
      const { testClock, pinnedCards } = account.state;
      const own = ownCard(account.state, key);
      if (own !== undefined) cards.add(own);
      const isPinning = testClock !== null && pinnedCards[pinName(key, window)] === undefined;
      // The first card of a product is in force at once.
      const { product } = command.request.resource;
      const isUnknown = product !== undefined && this.terms?.sells(product) === false;
      if (isPinning || isUnknown) isAhead = true;
    }
    return { keys, cards, isAhead };
  }

  /** Keys found elsewhere than at the known end are looked up again: the log may go back to it. */
  private async lookUpKeys(keys: readonly KeyOfAccount[]): Promise<void> {
    const { opened, ends } = await this.source.opened(keys);
    for (const end of ends) {
      if (!isSameEnd(end, this.end(end.lane))) this.outdate(end.lane);
    }
    for (const { accountId, key } of opened) {
      if (this.outdated.has(laneOf(accountId))) continue;
      const { state, head } = this.cache.get(accountId) ?? unopened;
      this.cache.set(accountId, { state: recall(state, [key]), head });
    }
  }
}
