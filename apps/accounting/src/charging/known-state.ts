import type { StoredEvent } from '#event-log/event-log.js';
import { laneOf, type EventLog, type LaneEnd } from '#event-log/event-log.js';
import { recall } from '#account/state.js';
import { knowsKey, type LoadedAccount } from '#ledger/account-row.js';
import type { AccountSource, KeyOfAccount } from '#ledger/account-source.js';
import { follow, unopened } from '#ledger/account-tail.js';
import { adjustmentIdOf } from '../accounts/command-id.js';
import type { LiveTerms } from '../rate-cards/live-terms.js';
import type { AccountCache } from './account-cache.js';
import type { Known } from './fold.js';
import type { Pending } from './submission.js';

const TAIL_PAGE = 1_000;

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

  end(lane: number): LaneEnd {
    const end = this.ends.get(lane);
    if (end === undefined) throw new Error(`The end of lane ${lane} is not known.`);
    return end;
  }

  /** A lane was written: its end moves, and its accounts stand where the events left them. */
  advance(end: LaneEnd, accounts: ReadonlyMap<string, LoadedAccount>): void {
    this.ends.set(end.lane, end);
    for (const [id, account] of accounts) this.cache.set(id, settled(account));
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
    await this.lookUpKeys(batch);
    if (this.terms !== undefined) await this.lookUpCards(batch, this.terms);
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
    const ids = new Set(batch.map(({ submission }) => submission.accountId));
    const missing = [...ids].filter((id) => !this.cache.has(id));
    if (missing.length === 0) return;
    const { accounts, ends } = await this.source.load(missing);
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
    const references = asked.flatMap(({ submission: { accountId, callId } }) => {
      const lane = laneOf(accountId);
      return [
        { lane, callId },
        { lane, callId: adjustmentIdOf(callId) },
      ];
    });
    for (const event of await this.log.findCalls(references)) {
      if (event.callId !== null) this.found.set(event.callId, event);
    }
  }

  private async lookUpKeys(batch: readonly Pending[]): Promise<void> {
    const wanted: KeyOfAccount[] = [];
    for (const { submission } of batch) {
      const { accountId, command } = submission;
      if (command.command !== 'make-call') continue;
      const { key } = command.request;
      if (!knowsKey(this.account(accountId), key)) wanted.push({ accountId, key });
    }
    if (wanted.length === 0) return;
    for (const { accountId, key } of await this.source.opened(wanted)) {
      const { state, head } = this.cache.get(accountId) ?? unopened;
      this.cache.set(accountId, { state: recall(state, [key]), head });
    }
  }
  /**
   * Cards for all are known long before they price. One that an account names may be a moment old, and
   * so may the card of a window that a test clock has just moved into.
   */
  private async lookUpCards(
    batch: readonly Pending[],
    terms: Pick<LiveTerms, 'has' | 'refresh'>,
  ): Promise<void> {
    const named = new Set<number>();
    let isAhead = false;
    for (const { submission } of batch) {
      const { command } = submission;
      if (command.command !== 'make-call') continue;
      const { rateCard, testClock, pinnedCards } = this.account(submission.accountId).state;
      if (rateCard !== null) named.add(rateCard);
      const { window } = command.request;
      if (testClock !== null && pinnedCards[window] === undefined) isAhead = true;
    }
    if (isAhead) await terms.refresh();
    for (const version of named) await terms.has(version);
  }
}

/** What is committed stands alone: nobody needs the sets of keys before it any more. */
function settled(account: LoadedAccount): LoadedAccount {
  const { state, head } = account;
  const opened = state.opened.settle();
  return opened === state.opened ? account : { state: { ...state, opened }, head };
}
