import { Alarm } from './alarm.js';
import {
  AppendUncertainError,
  LogUnavailableError,
  SYSTEM_LANE,
  type EventLog,
  type LaneEnd,
  type NewEvent,
  type StoredEvent,
} from './event-log.js';
import { FoldedView, type Fold } from './fold.js';
import { FIRST_HEAD, hashEvent } from './hash-chain.js';
import { findLost } from './lane-continuity.js';
import type { LaneHolder, LaneWatch } from './lane-watch.js';
import { isSame, newEvents, stored, type SystemDecision } from './system-decision.js';

/** The outcome of a command that has an id. */
export interface AppendedOnce<Value> {
  /** Null: there was nothing to do. */
  readonly event: StoredEvent | null;
  /** Whether an earlier command of this id made it. */
  readonly replayed: boolean;
  /** The stream as of the event, or of a later one. */
  readonly value: Value;
}

interface Command<Value> {
  /** Looked for before anything is decided; null: it was never sent before. */
  readonly callId: string | null;
  readonly fold: Fold<Value>;
  readonly decide: (value: Value) => readonly SystemDecision[];
}

interface SystemAppend {
  readonly events: readonly StoredEvent[];
  readonly replayed: boolean;
}

type Outcome = SystemAppend | 'moved' | 'outage';

const HEAD: Fold<string> = { initial: () => FIRST_HEAD, evolve: hashEvent };
const PAGE_SIZE = 1_000;
const ATTEMPTS_MAX = 100;
const CONFLICT_WAIT_MS_MAX = 20;
const OUTAGE_WAIT_MS = 250;
/** Enough for any log that goes back now and then; one that does so all the time is none. */
const READINGS_MAX = 10;

/**
 * The system's own stream, lane 0. Nobody sees its events: who reads or decides names a fold of
 * them, which is kept and takes each event in once. The first who names it waits for the whole
 * lane. When the log goes back behind what was taken in, all of it is read again.
 */
export class SystemStream implements LaneHolder {
  private readonly head = new FoldedView(HEAD);
  private readonly views = new Map<unknown, FoldedView<unknown>>([[HEAD, this.head]]);
  private reading: Promise<LaneEnd> | undefined;
  private appending: Promise<unknown> = Promise.resolve();
  /** The newest end up to which all events were taken in; the views belong to its history. */
  private end: LaneEnd | undefined;
  /** Whether views may have taken in more than that. */
  private isTorn = false;

  constructor(
    private readonly log: EventLog,
    private readonly watch?: Pick<LaneWatch, 'lost' | 'register'>,
  ) {
    watch?.register(this);
  }

  ends(): Iterable<LaneEnd> {
    return this.end === undefined ? [] : [this.end];
  }

  forget(lane: number): void {
    if (lane !== SYSTEM_LANE) return;
    for (const view of this.views.values()) view.reset();
    this.end = undefined;
  }

  /** The fold as of a moment after the call. Throws LogUnavailableError. */
  async read<Value>(fold: Fold<Value>): Promise<Value> {
    const view = this.view(fold);
    await this.catchUp();
    return view.value;
  }

  /**
   * Appends the event that `decide` returns for the fold at that position; returns null if it
   * returns null. When another writer was faster it decides again, so it must be pure. After a lost
   * connection the event is looked for before anything is decided again: it is never appended
   * twice. Throws LogUnavailableError (surely not appended), AppendUncertainError (the log stayed
   * away too long to know) and BadEventError.
   */
  async append<Value>(
    fold: Fold<Value>,
    decide: (value: Value) => SystemDecision | null,
  ): Promise<StoredEvent | null> {
    const [event] = await this.appendAll(fold, (value) => listOf(decide(value)));
    return event ?? null;
  }

  /** The same for several events, all or none of which are appended. */
  async appendAll<Value>(
    fold: Fold<Value>,
    decide: (value: Value) => readonly SystemDecision[],
  ): Promise<readonly StoredEvent[]> {
    return (await this.inTurn({ callId: null, fold, decide })).events;
  }

  /** The same for a command that may come again: what it made is found by its id, and answered. */
  async appendOnce<Value>(
    callId: string,
    fold: Fold<Value>,
    decide: (value: Value) => Omit<SystemDecision, 'callId'> | null,
  ): Promise<AppendedOnce<Value>> {
    const { events, replayed } = await this.inTurn({
      callId,
      fold,
      decide: (value) => {
        const decided = decide(value);
        return listOf(decided && { ...decided, callId });
      },
    });
    return { event: events[0] ?? null, replayed, value: this.view(fold).value };
  }

  private async inTurn<Value>(command: Command<Value>): Promise<SystemAppend> {
    const turn = this.appending.then(() => this.decideAndAppend(command));
    this.appending = turn.catch(() => undefined);
    return turn;
  }

  private async decideAndAppend<Value>(command: Command<Value>): Promise<SystemAppend> {
    const sent: NewEvent[][] = [];
    const alarm = new Alarm();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const outcome = await this.attempt(command, sent);
      if (outcome === 'moved') await alarm.wait(Math.random() * CONFLICT_WAIT_MS_MAX);
      else if (outcome === 'outage') await alarm.wait(OUTAGE_WAIT_MS);
      else return outcome;
    }
    if (sent.length === 0) throw new LogUnavailableError("The system's lane stayed busy.");
    throw new AppendUncertainError('The log stayed away after a lost connection.');
  }

  /** `sent` collects what was sent and whose fate is unknown. An outage after it is waited out. */
  private async attempt<Value>(command: Command<Value>, sent: NewEvent[][]): Promise<Outcome> {
    try {
      const view = this.view(command.fold);
      const end = await this.catchUp();
      const found = (await this.findSent(sent)) ?? (await this.findEarlier(command.callId));
      // A reader may have come further meanwhile, and what was found may lie behind the views.
      const needed = found?.events.at(-1)?.position ?? end.position;
      if (found !== undefined && needed <= this.head.at) return found;
      if (found !== undefined || !this.standsAt(end)) return 'moved';
      const decisions = command.decide(view.value);
      if (decisions.length === 0) return { events: [], replayed: false };
      return await this.tryAppend(end, newEvents(decisions, this.head), sent);
    } catch (error) {
      if (error instanceof LogUnavailableError && sent.length > 0) return 'outage';
      throw error;
    }
  }

  private async tryAppend(end: LaneEnd, events: NewEvent[], sent: NewEvent[][]): Promise<Outcome> {
    try {
      const [to] = await this.log.append([{ end, events }]);
      return to === undefined ? 'moved' : this.appended(end, to, events);
    } catch (error) {
      if (!(error instanceof AppendUncertainError)) throw error;
      sent.push(events);
      return 'outage';
    }
  }

  /** Versions are dense: the same columns at the same version are the same event. */
  private async findSent(sent: readonly NewEvent[][]): Promise<SystemAppend | undefined> {
    for (const batch of sent) {
      const before = (batch[0]?.accountVersion ?? 1) - 1;
      const written = await this.log.read(SYSTEM_LANE, before, batch.length);
      const isWritten = batch.every((event, index) => isSame(event, written[index]));
      if (isWritten) return { events: written, replayed: false };
    }
    return undefined;
  }

  private async findEarlier(callId: string | null): Promise<SystemAppend | undefined> {
    if (callId === null) return undefined;
    const events = await this.log.findCalls([{ lane: SYSTEM_LANE, callId }]);
    return events.length === 0 ? undefined : { events, replayed: true };
  }

  private appended(from: LaneEnd, to: LaneEnd, events: readonly NewEvent[]): SystemAppend {
    const written = events.map(stored);
    // A reader may have taken them in already, or all may have been forgotten meanwhile.
    if (this.standsAt(from)) {
      this.takeIn(written);
      this.end = to;
    }
    return { events: written, replayed: false };
  }

  private standsAt({ position, head }: LaneEnd): boolean {
    return this.head.at === position && this.end?.head === head;
  }

  private view<Value>(fold: Fold<Value>): FoldedView<Value> {
    const known = this.views.get(fold);
    // The key is the fold that the view was made of.
    if (known !== undefined) return known as FoldedView<Value>;
    const view = new FoldedView(fold);
    this.views.set(fold, view);
    return view;
  }

  private takeIn(events: readonly StoredEvent[]): void {
    for (const view of this.views.values()) for (const event of events) view.takeIn(event);
  }

  /** Readers at the same time share one reading, so that no event is read twice. */
  private async catchUp(): Promise<LaneEnd> {
    // A reading under way may have begun before what the caller must see was written.
    await this.reading?.catch(() => undefined);
    this.reading ??= this.readTail().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readTail(): Promise<LaneEnd> {
    for (let reading = 1; reading <= READINGS_MAX; reading += 1) {
      if (this.isTorn) this.forget(SYSTEM_LANE);
      const known = this.end;
      const [end] = await this.log.ends([SYSTEM_LANE]);
      if (end === undefined) throw new Error("The log has no system's lane.");
      const lost = known === undefined ? null : await findLost(this.log, known, end);
      if (lost !== null) {
        this.forget(SYSTEM_LANE);
        this.watch?.lost(lost);
        continue;
      }
      this.isTorn = true;
      if (!(await this.readUpTo(end))) continue;
      this.isTorn = false;
      if (this.end === undefined || this.end.position < end.position) this.end = end;
      return end;
    }
    throw new LogUnavailableError("The system's lane goes back all the time.");
  }

  /**
   * Views that are new begin at the lane's first event, all of them in one pass. False: the log
   * went back meanwhile.
   */
  private async readUpTo(end: LaneEnd): Promise<boolean> {
    for (;;) {
      const known = Math.min(...[...this.views.values()].map(({ at }) => at));
      if (known >= end.position) return true;
      const limit = Math.min(PAGE_SIZE, end.position - known);
      const events = await this.log.read(SYSTEM_LANE, known, limit);
      if (events.length === 0) return false;
      const isDense = events.every(({ position }, index) => position === known + 1 + index);
      if (!isDense) {
        throw new Error(`The system's lane has a gap after position ${known}.`);
      }
      this.takeIn(events);
    }
  }
}

function listOf<Item>(item: Item | null): readonly Item[] {
  return item === null ? [] : [item];
}
