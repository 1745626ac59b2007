import type { AccountEvent, Adjusted, CallMade } from '#account/events.js';
import { evolve, windowOfCall } from '#account/evolve.js';
import { initialState, type AccountState } from '#account/state.js';
import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { readEvent } from '#ledger/snapshots/account-tail.js';
import { readable } from '#ledger/texts/readable.js';
import type { Journal } from './journal.js';

const PAGE = 5_000;

/** A charge as it stands in the log. */
export interface LoggedCall {
  readonly callId: string;
  readonly accountId: string;
  readonly lane: number;
  readonly position: number;
  readonly data: CallMade;
  /** Who gave it back: null nobody, `system` the settlement, else an operator. */
  givenBackBy: string | null;
  /** Position at which it was given back. */
  givenBackAt: number | null;
  /** Whether it was answered to another request than its own: its charge stands. */
  replayed: boolean;
}

/** One account by its events, counted twice: by the service's own rules and by plain sums. */
export interface LoggedAccount {
  state: AccountState;
  granted: number;
  adjusted: number;
  charged: number;
  expired: number;
  voided: number;
  billed: number;
  readonly opened: Set<string>;
}

/**
 * Reads the log as it grows and holds every event against the rules that need nothing but the log:
 * dense positions and versions, one call id once, one base per key, sums that equal the balance.
 */
export class LogBook {
  private readonly positions = new Map<number, number>();
  readonly byTag = new Map<number, LoggedCall>();
  readonly byCallId = new Map<string, LoggedCall>();
  readonly accounts = new Map<string, LoggedAccount>();
  /** Events by the name that a change gave them. */
  readonly changes = new Map<string, StoredEvent[]>();
  private readonly callIds = new Set<string>();
  events = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly journal: Journal,
    /** What was in the log before the run is no call of it. */
    private readonly known: ReadonlySet<string>,
  ) {}

  /** The log may be another one now: it is read from its beginning. */
  restart(): void {
    const all = [this.positions, this.byTag, this.byCallId, this.accounts, this.changes];
    for (const each of [...all, this.callIds]) each.clear();
    this.events = 0;
  }

  /** Takes in all that was committed when this began. */
  async catchUp(): Promise<void> {
    const log = new PostgresEventLog(this.pool);
    for (const { lane, position } of await log.ends()) {
      let at = this.positions.get(lane) ?? 0;
      while (at < position) {
        const events = await readable(this.pool, await log.read(lane, at, PAGE));
        for (const event of events) {
          this.hold('positions are dense', event.position === at + 1, event, `after ${at}`);
          at = event.position;
          if (lane > 0) this.take(event);
        }
        if (events.length > 0) continue;
        this.journal.violation(
          'positions are dense',
          `Lane ${lane} ends at ${at}, not ${position}.`,
        );
        break;
      }
      this.positions.set(lane, at);
    }
  }

  account(accountId: string): LoggedAccount {
    const found = this.accounts.get(accountId);
    if (found !== undefined) return found;
    const sums = { granted: 0, adjusted: 0, charged: 0, expired: 0, voided: 0, billed: 0 };
    const fresh: LoggedAccount = { state: initialState, ...sums, opened: new Set() };
    this.accounts.set(accountId, fresh);
    return fresh;
  }

  private take(stored: StoredEvent): void {
    this.events += 1;
    const { accountId, accountVersion, callId } = stored;
    if (!this.known.has(accountId)) return;
    const account = this.account(accountId);
    const next = account.state.version + 1;
    this.hold('versions are dense', accountVersion === next, stored, `expected ${next}`);
    if (callId !== null) {
      this.hold('a call id stands once', !this.callIds.has(callId), stored, 'a second time');
      this.callIds.add(callId);
    }
    const event = readEvent(stored);
    account.state = evolve(account.state, event);
    this.sum(account, event, stored);
    const { granted, adjusted, charged, expired, voided, billed, state } = account;
    const balance = granted + adjusted - charged - expired - voided + billed;
    this.hold('balances add up', balance === state.balance, stored, `sum ${balance}`);
    const said = 'balance' in event.data ? event.data.balance : balance;
    this.hold('balances add up', said === balance, stored, `says ${said}, is ${balance}`);
    const most = state.overdraft;
    const isHeld = most === null || balance >= -most;
    this.hold('no balance below the overdraft', isHeld, stored, `balance ${balance}`);
  }

  private sum(account: LoggedAccount, event: AccountEvent, stored: StoredEvent): void {
    switch (event.type) {
      case 'CallMade':
        return this.call(account, event.data, stored);
      case 'CreditsGranted':
        account.granted += event.data.credits;
        return this.change(`priority ${event.data.priority}`, stored);
      case 'GrantExpired':
        account.expired += event.data.credits;
        return;
      case 'Adjusted':
        return this.adjusted(account, event.data, stored);
      case 'ApiKeyRevoked':
        return this.change(`revoke ${event.data.key_id}`, stored);
      case 'ApiKeyIssued':
        return this.change(`issue ${event.data.key_id}`, stored);
      case 'AccountSuspended':
      case 'AccountResumed':
        return this.change(event.data.reason ?? '', stored);
      case 'CallReplayed':
        return this.replayed(event.data.call_id, stored);
      case 'GrantVoided':
        account.voided += event.data.credits;
        return;
      case 'MonthClosed':
        account.billed += event.data.overage;
        return;
      // None of these moves credits, nor is one of the operator's counted changes.
      case 'AccountOpened':
      case 'AccountChanged':
      case 'AccountClosed':
      case 'ProfileErased':
      case 'TestClockMoved':
      case 'WindowClosed':
      case 'BalanceLow':
      case 'BudgetSet':
      case 'BudgetRemoved':
      case 'BudgetThresholdCrossed':
      case 'BudgetBlocked':
      case 'BudgetForecastExceeded':
      case 'ApiKeyEndSet':
      case 'BillingDetailsChanged':
      case 'InvoiceSealed':
      case 'InvoiceOverdue':
      case 'CreditNoteSealed':
      case 'PaymentRecorded':
      case 'PortalSessionOpened':
      case 'PortalSessionRevoked':
        return;
    }
  }

  private adjusted(account: LoggedAccount, data: Adjusted, stored: StoredEvent): void {
    account.adjusted += data.credits;
    if (data.by !== 'system') this.change(data.reason, stored);
    if (data.call_id === null) return;
    const call = this.byCallId.get(data.call_id);
    const isFirst = call !== undefined && call.givenBackBy === null;
    this.hold('a call is given back once', isFirst, stored, 'unknown, or given back before');
    if (call === undefined) return;
    const mayBe = data.by !== 'system' || !call.replayed;
    this.hold('what was replayed is not settled', mayBe, stored, 'given back all the same');
    call.givenBackBy = data.by;
    call.givenBackAt = stored.position;
  }

  private replayed(callId: string, stored: StoredEvent): void {
    const call = this.byCallId.get(callId);
    const isFirst = call !== undefined && !call.replayed && call.givenBackBy === null;
    this.hold('a call that stands is replayed', isFirst, stored, 'unknown, given back, or again');
    if (call !== undefined) call.replayed = true;
  }

  private change(name: string, stored: StoredEvent): void {
    this.changes.set(name, [...(this.changes.get(name) ?? []), stored]);
  }

  private call(account: LoggedAccount, data: CallMade, stored: StoredEvent): void {
    const { accountId, callId, lane, position } = stored;
    account.charged += data.cost[0] + data.cost[1];
    const isBase = !account.opened.has(data.key);
    account.opened.add(data.key);
    const rule = 'one base for each account and key';
    this.hold(rule, (data.kind === 'base') === isBase, stored, `window ${windowOfCall(data)}`);
    const entry = {
      callId: callId ?? '',
      accountId,
      lane,
      position,
      data,
      givenBackBy: null,
      givenBackAt: null,
      replayed: false,
    };
    this.byCallId.set(entry.callId, entry);
    const tag = Number(data.tags?.call ?? Number.NaN);
    if (Number.isNaN(tag)) return;
    this.hold('one charge for one call', !this.byTag.has(tag), stored, `tag ${tag}`);
    this.byTag.set(tag, entry);
  }

  private hold(rule: string, holds: boolean, event: StoredEvent, detail: string): void {
    if (holds) return;
    const { lane, position, type, callId, accountId, data } = event;
    const at = `lane ${lane}, position ${position}: ${type} ${callId} of ${accountId}`;
    this.journal.violation(rule, `${at}: ${detail}`, data);
  }
}
