import { Alarm } from './alarm.js';
import {
  AppendUncertainError,
  LogUnavailableError,
  SYSTEM_ACCOUNT,
  SYSTEM_LANE,
  type EventLog,
  type LaneEnd,
  type NewEvent,
  type StoredEvent,
} from './event-log.js';
import { FIRST_HEAD, hashEvent } from './hash-chain.js';

/** An event of the system as it is decided: its version and hash follow from where it is put. */
export interface SystemDecision {
  /** The command's id, under which it is never appended twice, or null. */
  readonly callId: string | null;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: object;
}

/** What is kept in memory of an event that was written: all of it, or less of its data. */
export type KeepEvent = (event: StoredEvent) => StoredEvent;

export type SystemDecider = (events: readonly StoredEvent[]) => SystemDecision | null;

/** Several events, all or none of which are appended. */
export type SystemBatchDecider = (events: readonly StoredEvent[]) => readonly SystemDecision[];

const PAGE_SIZE = 1_000;
const ATTEMPTS_MAX = 100;
const CONFLICT_WAIT_MS_MAX = 20;
const OUTAGE_WAIT_MS = 250;

/**
 * The system's own stream, lane 0: read whole and kept, so that deciders see everything. It is
 * short (rate cards, releases, settings) but for the numbers of invoices, of which `keep` leaves what
 * deciders need.
 */
export class SystemStream {
  private readonly events: StoredEvent[] = [];
  private accountHead = FIRST_HEAD;
  private reading: Promise<LaneEnd> | undefined;
  private appending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: EventLog,
    private readonly keep: KeepEvent = (event) => event,
  ) {}

  /**
   * All events of the system as they are kept, oldest first, as of a moment after the call. Throws
   * LogUnavailableError.
   */
  async read(): Promise<readonly StoredEvent[]> {
    await this.catchUp();
    return [...this.events];
  }

  /**
   * Appends what `decide` makes of all events so far, or answers null when it answers null. When
   * another writer was faster it decides again, so it must be pure. After a lost connection the
   * event is looked for before anything is decided anew: it is never appended twice. Throws
   * LogUnavailableError (surely not appended), AppendUncertainError (the log stayed away too long
   * to tell) and BadEventError.
   */
  async append(decide: SystemDecider): Promise<StoredEvent | null> {
    const [event] = await this.appendAll((events) => {
      const decision = decide(events);
      return decision === null ? [] : [decision];
    });
    return event ?? null;
  }

  /** The same for several events, which are written together. */
  async appendAll(decide: SystemBatchDecider): Promise<readonly StoredEvent[]> {
    const turn = this.appending.then(() => this.decideAndAppend(decide));
    this.appending = turn.catch(() => undefined);
    return turn;
  }

  private async decideAndAppend(decide: SystemBatchDecider): Promise<readonly StoredEvent[]> {
    const sent: NewEvent[][] = [];
    const alarm = new Alarm();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const outcome = await this.attempt(decide, sent);
      if (outcome === 'moved') await alarm.wait(Math.random() * CONFLICT_WAIT_MS_MAX);
      else if (outcome === 'outage') await alarm.wait(OUTAGE_WAIT_MS);
      else return outcome;
    }
    if (sent.length === 0) throw new LogUnavailableError("The system's lane stayed busy.");
    throw new AppendUncertainError('The log stayed away after a lost connection.');
  }

  /** `sent` collects what was sent and whose fate is unknown. An outage after it is waited out. */
  private async attempt(
    decide: SystemBatchDecider,
    sent: NewEvent[][],
  ): Promise<readonly StoredEvent[] | 'moved' | 'outage'> {
    try {
      const end = await this.catchUp();
      const found = this.findSent(sent);
      if (found !== undefined) return found;
      if (end.position !== this.events.length) return 'moved';
      const decisions = decide([...this.events]);
      if (decisions.length === 0) return [];
      return await this.tryAppend(end, this.nextEvents(decisions), sent);
    } catch (error) {
      if (error instanceof LogUnavailableError && sent.length > 0) return 'outage';
      throw error;
    }
  }

  private async tryAppend(
    end: LaneEnd,
    events: NewEvent[],
    sent: NewEvent[][],
  ): Promise<readonly StoredEvent[] | 'moved' | 'outage'> {
    try {
      const ends = await this.log.append([{ end, events }]);
      return ends.length === 1 ? this.appended(end, events) : 'moved';
    } catch (error) {
      if (!(error instanceof AppendUncertainError)) throw error;
      sent.push(events);
      return 'outage';
    }
  }

  /** Versions are dense: the same columns at the same version are the same event. */
  private findSent(sent: readonly NewEvent[][]): readonly StoredEvent[] | undefined {
    const written = sent.find((batch) => batch.every((event) => this.isWritten(event)));
    return written?.map((event) => this.stored(event));
  }

  private isWritten(event: NewEvent): boolean {
    const found = this.events[event.accountVersion - 1];
    if (found === undefined) return false;
    const { callId, type, at, data } = this.keep(this.stored(event));
    const isSame = found.callId === callId && found.type === type;
    return isSame && found.at === at && found.data === data;
  }

  private nextEvents(decisions: readonly SystemDecision[]): NewEvent[] {
    let head = this.accountHead;
    return decisions.map(({ callId, type, at, data }, index) => {
      const event = {
        accountId: SYSTEM_ACCOUNT,
        accountVersion: this.events.length + 1 + index,
        callId,
        type,
        at,
        data: JSON.stringify(data),
      };
      head = hashEvent(head, event);
      return { ...event, hash: head };
    });
  }

  /** Positions and versions of the system's stream are one and the same. */
  private stored({ hash: _hash, ...event }: NewEvent): StoredEvent {
    return { ...event, lane: SYSTEM_LANE, position: event.accountVersion };
  }

  private appended(end: LaneEnd, events: readonly NewEvent[]): readonly StoredEvent[] {
    const written = events.map((event) => this.stored(event));
    // A reader may have taken them in already.
    if (this.events.length === end.position) {
      this.events.push(...written.map(this.keep));
      this.accountHead = events.at(-1)?.hash ?? this.accountHead;
    }
    return written;
  }

  /** Readers at the same time share one reading, so that no event is taken in twice. */
  private async catchUp(): Promise<LaneEnd> {
    // A reading under way may have begun before what the caller must see was written.
    await this.reading?.catch(() => undefined);
    this.reading ??= this.readTail().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readTail(): Promise<LaneEnd> {
    const [end] = await this.log.ends([SYSTEM_LANE]);
    if (end === undefined) throw new Error("The log has no system's lane.");
    while (this.events.length < end.position) {
      const known = this.events.length;
      const limit = Math.min(PAGE_SIZE, end.position - known);
      for (const event of await this.log.read(SYSTEM_LANE, known, limit)) this.takeIn(event);
      if (this.events.length === known) throw new Error("The system's lane has a gap.");
    }
    return end;
  }

  private takeIn(event: StoredEvent): void {
    if (event.position <= this.events.length) return;
    if (event.position !== this.events.length + 1) {
      throw new Error(`The system's lane has a gap before position ${event.position}.`);
    }
    this.accountHead = hashEvent(this.accountHead, event);
    this.events.push(this.keep(event));
  }
}
