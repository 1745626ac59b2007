import type { StoredEvent } from '#event-log/event-log.js';
import { laneOf, type EventLog, type LaneEnd } from '#event-log/event-log.js';
import { recall } from '#account/state.js';
import { knowsKey, type LoadedAccount } from '#ledger/account-row.js';
import type { AccountSource, KeyOfAccount } from '#ledger/account-source.js';
import { follow, unopened } from '#ledger/account-tail.js';
import { adjustmentIdOf, replayIdOf } from '../accounts/command-id.js';
import type { LiveTerms } from '../rate-cards/live-terms.js';
import type { AccountCache } from './account-cache.js';
import type { Known } from './fold.js';
import type { Pending } from './submission.js';

const TAIL_PAGE = 1_000;

/** What has to be asked for before a batch is folded. */
interface Unknown {
  readonly keys: KeyOfAccount[];
  /** Versions of rate cards. */
  readonly cards: ReadonlySet<number>;
  /** Whether a card may be in force that was published a moment ago. */
  readonly isAhead: boolean;
}

/** What a lane writer knows to be committed: its lanes' ends, accounts, and ids it looked up. */
export class KnownState implements Known {
  private readonly ends = new Map<number, LaneEnd>();
  private readonly outdated = new Set<number>();
  private found = new Map<string, StoredEvent>();

  constructor(
    private readonly log: EventLog,
    private readonly source: AccountSource,
    private readonly cache: AccountCache,
    private readonly terms?: Pick<LiveTerms, 'has' | 'refresh'>,
  ) {}

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
    const end = this.ends.get(lane);
    if (end === undefined) throw new Error(`The end of lane ${lane} is not known.`);
    return end;
  }

  /** A lane was written: its end moves, and its accounts stand where the events left them. */
  advance(end: LaneEnd, accounts: ReadonlyMap<string, LoadedAccount>): void {
    this.ends.set(end.lane, end);
    for (const [id, account] of accounts) {
      // What is committed stands alone: nobody needs the sets of keys before it any more.
      account.state.opened.settle();
      this.cache.set(id, account);
    }
  }

  /** Something else may have been written: the lane's tail is read before anything is decided. */
  outdate(lane: number): void {
    this.outdated.add(lane);
  }

  shrink(): void {
    this.cache.shrink();
  }

  /** Makes sure that all is known which deciding these commands takes. */
  async prepare(batch: readonly Pending[]): Promise<void> {
    await this.catchUpOutdated();
    await this.load(batch);
    await this.findCalls(batch);
    const unknown = this.unknownTo(batch);
    if (unknown.keys.length > 0) await this.lookUpKeys(unknown.keys);
    if (unknown.isAhead) await this.terms?.refresh();
    for (const version of unknown.cards) await this.terms?.has(version);
  }

  private async catchUpOutdated(): Promise<void> {
    for (const lane of this.outdated) await this.catchUp(lane);
  }

  private async catchUp(lane: number): Promise<void> {
    const end = this.ends.get(lane);
    if (end !== undefined) {
      const [newest] = await this.log.ends([lane]);
      if (newest === undefined) throw new Error(`The log has no lane ${lane}.`);
      let position = end.position;
      while (position < newest.position) {
        const events = await this.log.read(lane, position, TAIL_PAGE);
        const own = events.filter((event) => event.position <= newest.position);
        for (const event of own) this.see(event);
        position = own.at(-1)?.position ?? newest.position;
      }
      this.ends.set(lane, newest);
    }
    this.outdated.delete(lane);
  }

  private see(event: StoredEvent): void {
    const account = this.cache.get(event.accountId);
    if (account !== undefined) this.cache.set(event.accountId, follow(account, event));
  }

  private async load(batch: readonly Pending[]): Promise<void> {
    const missing = new Set<string>();
    for (const { submission } of batch) {
      if (!this.cache.has(submission.accountId)) missing.add(submission.accountId);
    }
    if (missing.size === 0) return;
    const { accounts, ends } = await this.source.load([...missing]);
    for (const [id, account] of accounts) this.cache.set(id, account);
    for (const [lane, end] of ends) {
      const known = this.ends.get(lane);
      if (known === undefined) this.ends.set(lane, end);
      // The accounts just loaded are ahead of what else is known of their lane.
      else if (known.position < end.position) this.outdate(lane);
    }
    // All is noted before the first question that may fail: the accounts are kept either way.
    await this.catchUpOutdated();
  }

  private async findCalls(batch: readonly Pending[]): Promise<void> {
    this.found = new Map();
    const asked = batch.filter(({ mayExist }) => mayExist);
    if (asked.length === 0) return;
    const references = asked.flatMap(({ submission: { accountId, callId, unless } }) => {
      const ids = [callId, adjustmentIdOf(callId), unless ?? replayIdOf(callId)];
      return ids.map((id) => ({ lane: laneOf(accountId), callId: id }));
    });
    for (const event of await this.log.findCalls(references)) {
      if (event.callId !== null) this.found.set(event.callId, event);
    }
  }

  /**
   * What the accounts alone do not tell. Cards for all are known long before they price; one that an
   * account names may be a moment old, and so may the card of a window that a test clock has just
   * moved into.
   */
  private unknownTo(batch: readonly Pending[]): Unknown {
    const keys: KeyOfAccount[] = [];
    const cards = new Set<number>();
    let isAhead = false;
    for (const { submission } of batch) {
      const { accountId, command } = submission;
      if (command.command !== 'make-call') continue;
      const account = this.account(accountId);
      const { key, window } = command.request;
      if (!knowsKey(account, key)) keys.push({ accountId, key });
      const { rateCard, testClock, pinnedCards } = account.state;
      if (rateCard !== null) cards.add(rateCard);
      if (testClock !== null && pinnedCards[window] === undefined) isAhead = true;
    }
    return { keys, cards, isAhead };
  }

  private async lookUpKeys(keys: readonly KeyOfAccount[]): Promise<void> {
    for (const { accountId, key } of await this.source.opened(keys)) {
      const { state, head } = this.cache.get(accountId) ?? unopened;
      this.cache.set(accountId, { state: recall(state, [key]), head });
    }
  }
}
