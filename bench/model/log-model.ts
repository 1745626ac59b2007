import type { AccountEvent } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import { type AccountState, initialState } from '#account/state.js';
import { brokenInvariants, brokenLimit } from '#account/scenario.suite.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { hold } from './broken-rule.js';
import { ChargeModel, type CheckPrice } from './charge-model.js';

/** One account by its events. */
export interface ModelledAccount {
  readonly charges: ChargeModel;
  state: AccountState;
  /** Of its chain, after the last event. */
  head: string;
}

/**
 * Invariants of every log, whoever wrote it: positions and versions are dense, an id stands once, a
 * state keeps its invariants and its limit, and the events of each account are those of the models.
 * Throws BrokenRule.
 */
export class LogModel {
  private readonly positions = new Map<number, number>();
  private readonly accounts = new Map<string, ModelledAccount>();
  private readonly byCall = new Map<string, StoredEvent>();

  /** `checkPrice`: what calls of this log cost; without it prices are not looked at. */
  constructor(private readonly checkPrice?: CheckPrice) {}

  get lanes(): readonly number[] {
    return [...this.positions.keys()];
  }

  /** Up to where a lane was taken in. */
  position(lane: number): number {
    return this.positions.get(lane) ?? 0;
  }

  account(accountId: string): ModelledAccount {
    const found = this.accounts.get(accountId);
    if (found !== undefined) return found;
    const charges = new ChargeModel(this.checkPrice);
    const fresh = { charges, state: initialState, head: FIRST_HEAD };
    this.accounts.set(accountId, fresh);
    return fresh;
  }

  event(callId: string): StoredEvent | undefined {
    return this.byCall.get(callId);
  }

  /** The place of a lane's next event. To be called for each, in their order. */
  place({ lane, position }: StoredEvent): void {
    const next = this.position(lane) + 1;
    this.positions.set(lane, position);
    hold(position === next, () => `Position ${next} is ${position}.`);
  }

  /** The version and the id of an account's next event. */
  identify(stored: StoredEvent): void {
    const { accountId, accountVersion, callId } = stored;
    const next = this.account(accountId).state.version + 1;
    hold(accountVersion === next, () => `Version ${accountVersion} follows ${next - 1}.`);
    if (callId === null) return;
    const isFirst = !this.byCall.has(callId);
    this.byCall.set(callId, stored);
    hold(isFirst, () => `Call id ${callId} stands twice in the log.`);
  }

  /** An account after its next event. Answers the event. */
  apply(stored: StoredEvent): AccountEvent {
    const account = this.account(stored.accountId);
    const before = account.state;
    const { head } = account;
    const event = readEvent(stored);
    account.state = evolve(before, event);
    account.head = hashEvent(head, stored);
    account.charges.take(event, before.version + 1, head);
    const broken = [...brokenInvariants(account.state), ...brokenLimit(before, account.state)];
    hold(broken.length === 0, () => `Account ${stored.accountId}: ${broken.join('; ')}.`);
    return event;
  }

  /** To be called once all events of an account's commit were taken. */
  settle(accountId: string): void {
    this.account(accountId).charges.settle();
  }
}
