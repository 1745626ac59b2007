import type { CreditsAdjusted } from '#account/adjustments.js';
import type { CallMade } from '#account/calls.js';
import type { AccountEvent } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import type pg from 'pg';
import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { readable } from '#projections/texts/readable.js';
import { BrokenRule } from '../model/broken-rule.js';
import { LogModel } from '../model/log-model.js';
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

/**
 * Reads the log as it grows, holds every event against the model of what must hold in every log,
 * and remembers the calls and the changes of this run.
 */
export class LogBook {
  private model = new LogModel();
  readonly byTag = new Map<number, LoggedCall>();
  readonly byCallId = new Map<string, LoggedCall>();
  /** Events by the name that a change gave them. */
  readonly changes = new Map<string, StoredEvent[]>();
  events = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly journal: Journal,
    /** Calls that were in the log before the run. */
    private readonly known: ReadonlySet<string>,
  ) {}

  /** The log may be another one now: it is read from its beginning. */
  restart(): void {
    this.model = new LogModel();
    for (const each of [this.byTag, this.byCallId, this.changes]) each.clear();
    this.events = 0;
  }

  /** Takes in all that was committed when this began. */
  async catchUp(): Promise<void> {
    const log = new PostgresEventLog(this.pool);
    for (const { lane, position } of await log.ends()) {
      while (this.model.position(lane) < position) {
        const at = this.model.position(lane);
        const events = await log.read(lane, at, PAGE);
        const read = await readable(this.pool, events);
        events.forEach((event, index) => this.take(event, read[index] ?? event));
        if (events.length < PAGE) this.settle(events);
        if (events.length > 0) continue;
        const text = `Lane ${lane} ends at ${at}, not ${position}.`;
        this.journal.violation('positions are dense', text);
        break;
      }
    }
  }

  state(accountId: string): AccountState {
    return this.model.account(accountId).state;
  }

  /** `read`: the event with its texts as they were said; the chain is made of what is stored. */
  private take(stored: StoredEvent, read: StoredEvent): void {
    this.check(stored, () => this.model.place(stored));
    if (stored.lane === SYSTEM_LANE) return;
    this.events += 1;
    if (!this.known.has(stored.accountId)) return;
    this.check(stored, () => this.model.identify(stored));
    this.check(stored, () => this.model.apply(stored));
    this.note(readEvent(read), read);
  }

  /** The last page of a lane ends with a commit. */
  private settle(events: readonly StoredEvent[]): void {
    for (const stored of new Map(events.map((event) => [event.accountId, event])).values()) {
      if (!this.known.has(stored.accountId)) continue;
      this.check(stored, () => this.model.settle(stored.accountId));
    }
  }

  private check(stored: StoredEvent, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error;
      this.hold('the log keeps the rules of the model', false, stored, error.message);
    }
  }

  private note({ type, data }: AccountEvent, stored: StoredEvent): void {
    if (type === 'CallMade') this.call(data, stored);
    else if (type === 'CreditsGranted') this.change(`priority ${data.priority}`, stored);
    else if (type === 'Adjusted') this.adjusted(data, stored);
    else if (type === 'ApiKeyRevoked') this.change(`revoke ${data.key_id}`, stored);
    else if (type === 'ApiKeyIssued') this.change(`issue ${data.key_id}`, stored);
    else if (type === 'CallReplayed') this.replayed(data.call_id, stored);
    else if (type === 'AccountSuspended' || type === 'AccountResumed') {
      this.change(data.reason ?? '', stored);
    }
  }

  private adjusted(data: CreditsAdjusted, stored: StoredEvent): void {
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

  private call(data: CallMade, stored: StoredEvent): void {
    const { accountId, callId, lane, position } = stored;
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
