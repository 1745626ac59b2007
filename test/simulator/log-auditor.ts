import { nextEvent } from '#account/advance.js';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import type { AccountEvent } from '#account/events.js';
import { withHead } from '#account/months.js';
import { type AccountState, initialState, recall } from '#account/state.js';
import { terms } from '#account/scenario.suite.js';
import type { EventLog, StoredEvent } from '#event-log/event-log.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { adjustmentIdOf, replayIdOf } from '#deciding/command-id.js';
import type { Attempt, Attempts } from './attempts.js';
import { hold } from '../../bench/model/broken-rule.js';
import { LogModel } from '../../bench/model/log-model.js';
import { baseCreditsOf } from './resources.js';

const EVENTS_MAX = 1_000;

interface Audited {
  /** After each version; the first is the state before any event. */
  readonly states: AccountState[];
  /** The version of the call that opened each key. */
  readonly opened: Map<string, number>;
  /** The call that the last event was or reported. */
  lastCall: string | null;
  /** The version that was left when this history began. */
  left: number;
}

/**
 * Reads every event as soon as it is committed and holds it against the rules of the log. One for
 * each history: when the log goes back, another one begins with what is left.
 */
export class LogAuditor {
  private readonly model = new LogModel(baseCreditsOf);
  private readonly accounts = new Map<string, Audited>();

  constructor(
    private readonly attempts: Attempts,
    /** The latest moment that a right clock may show now, ms since 1970. */
    private readonly latest: () => number,
    /** How often the log had gone back before. */
    readonly history = 0,
  ) {}

  version(accountId: string): number {
    return this.audited(accountId).states.length - 1;
  }

  /** The version that an answer to the attempt has to know, if the answer is of this history. */
  knownTo({ submission: { accountId }, sentInHistory, sentAtVersion }: Attempt): number {
    return sentInHistory === this.history ? sentAtVersion : this.audited(accountId).left;
  }

  /** An account after a version, knowing each key that was opened up to then. */
  stateAt(accountId: string, version: number, key?: string): AccountState {
    const { states, opened } = this.audited(accountId);
    const state = states[version];
    if (state === undefined) throw new RangeError(`${accountId} has no version ${version}.`);
    const known = key !== undefined && (opened.get(key) ?? Infinity) <= version;
    return known ? recall(state, [key]) : state;
  }

  state(accountId: string): AccountState {
    return this.stateAt(accountId, this.version(accountId));
  }

  event(callId: string): StoredEvent | undefined {
    return this.model.event(callId);
  }

  get lanes(): readonly number[] {
    return this.model.lanes;
  }

  /** Begins with what is left of the log: what was held against the rules when it was committed. */
  async begin(log: EventLog, lanes: readonly number[]): Promise<void> {
    for (const lane of lanes) {
      const events = await log.read(lane, 0, EVENTS_MAX);
      for (const stored of events) {
        this.model.place(stored);
        this.model.identify(stored);
        this.walk(stored);
      }
    }
    for (const audited of this.accounts.values()) audited.left = audited.states.length - 1;
  }

  /** Takes in what was committed to these lanes since the last time. */
  async takeIn(log: EventLog, lanes: readonly number[]): Promise<void> {
    for (const lane of lanes) {
      const events = await log.read(lane, this.model.position(lane), EVENTS_MAX);
      for (const event of events) this.take(event);
      for (const { accountId } of events) this.model.settle(accountId);
    }
  }

  private audited(accountId: string): Audited {
    let audited = this.accounts.get(accountId);
    if (audited === undefined) {
      audited = { states: [initialState], opened: new Map(), lastCall: null, left: 0 };
      this.accounts.set(accountId, audited);
    }
    return audited;
  }

  private take(stored: StoredEvent): void {
    const { accountId, callId } = stored;
    this.model.place(stored);
    this.model.identify(stored);
    if (callId !== null) this.checkDenied(callId);
    const event = readEvent(stored);
    this.rederive(stored, event);
    this.checkGivenBack(event);
    this.walk(stored);
    if (this.state(accountId).testClock !== null) return;
    hold(
      event.at <= this.latest(),
      () => `${event.type} is dated ${event.at - this.latest()} ms ahead.`,
    );
  }

  private walk(stored: StoredEvent): void {
    const audited = this.audited(stored.accountId);
    const { states, opened } = audited;
    const event = this.model.apply(stored);
    audited.lastCall = lastCallAfter(audited.lastCall, stored, event);
    if (event.type === 'CallMade' && event.data.kind === 'base') {
      opened.set(event.data.key, states.length);
    }
    states.push(this.model.account(stored.accountId).state);
  }

  /** The log may hold nothing for a caller who was answered every time that it does not. */
  checkDenied(callId: string): void {
    const stored = this.event(callId);
    if (stored === undefined || this.attempts.of(callId).length === 0) return;
    const denied = this.attempts.allDenied(callId);
    hold(!denied, () => `${stored.type} ${callId} was committed although it was denied.`);
  }

  /** A call that the log has lost was never charged. */
  private checkGivenBack({ type, data }: AccountEvent): void {
    const callId = type === 'Adjusted' ? data.call_id : null;
    const isThere = callId === null || this.event(callId) !== undefined;
    hold(isThere, () => `Call ${callId} is given back, and the log does not hold it.`);
  }

  /** The stored event has to follow from the state before it and from what was asked. */
  private rederive(stored: StoredEvent, event: AccountEvent): void {
    const { accountId, callId } = stored;
    const text = JSON.stringify(event);
    if (callId === null) return this.rederiveOwed(accountId, event);
    if (event.type === 'CallReplayed') return this.rederiveReplay(accountId, callId, event);
    const attempts = this.attempts.of(callId);
    // The first events of an account are written before anybody sends anything.
    if (attempts.length === 0 && this.attempts.all.length === 0) return;
    const follows = attempts.some(({ submission: { command } }) => {
      const key = command.command === 'make-call' ? command.request.key : undefined;
      const before = this.stateAt(accountId, this.version(accountId), key);
      const { events, own } = decide(before, inTime(command), event.at, terms);
      return own === 0 && JSON.stringify(events[0]) === text;
    });
    hold(follows, () => `${text} (${callId}) does not follow from the log and what was asked.`);
  }

  /** A call is replayed once, as long as it stands, and somebody has to have asked for it again. */
  private rederiveReplay(
    accountId: string,
    callId: string,
    { at, data }: Extract<AccountEvent, { type: 'CallReplayed' }>,
  ): void {
    const owed = nextEvent(this.state(accountId), at, terms.calendar);
    const isKnown = this.event(data.call_id) !== undefined && callId === replayIdOf(data.call_id);
    const stands = this.event(adjustmentIdOf(data.call_id)) === undefined;
    const isAsked = this.attempts.of(data.call_id).length > 1;
    const follows = owed === null && isKnown && stands && isAsked;
    hold(follows, () => `The replay of ${data.call_id} does not follow from the log.`);
  }

  /** An event without a command has to follow by itself, or report a call that a budget refused. */
  private rederiveOwed(accountId: string, event: AccountEvent): void {
    const { lastCall } = this.audited(accountId);
    const { head } = this.model.account(accountId);
    const text = JSON.stringify(event);
    if (event.type === 'BudgetBlocked') {
      const isBlocked = this.attempts.all.some(({ submission: { command, accountId: id } }) => {
        if (command.command !== 'make-call' || id !== accountId) return false;
        const before = this.stateAt(accountId, this.version(accountId), command.request.key);
        const { events } = decide(before, inTime(command), event.at, terms);
        return events.some((decided) => JSON.stringify(decided) === text);
      });
      hold(isBlocked, () => `${text} reports no call.`);
      return;
    }
    const owed = nextEvent(this.state(accountId), event.at, terms.calendar, lastCall);
    const isOwed = owed !== null && JSON.stringify(withHead(owed, head)) === text;
    hold(isOwed, () => `${text} was not due, but ${JSON.stringify(owed)}.`);
  }
}

/** An alert names the call that it reports: nothing else stands between the two. */
function lastCallAfter(before: string | null, stored: StoredEvent, event: AccountEvent) {
  if (event.type === 'CallMade') return stored.callId;
  return 'call_id' in event.data && stored.callId === null ? before : null;
}

/** For test accounts the moment of an event says nothing about when it was decided. */
export function inTime(command: Command): Command {
  if (command.command !== 'make-call') return command;
  return { ...command, request: { ...command.request, notAfter: Infinity } };
}
