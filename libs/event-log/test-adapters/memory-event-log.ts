import { planAppend, type PlannedLane } from '../src/append-plan.js';
import {
  ACCOUNT_LANES,
  AppendUncertainError,
  BadEventError,
  LANE_GROUPS,
  LogUnavailableError,
  laneGroups,
  laneOf,
  type CallReference,
  type EventLog,
  type LaneAppend,
  type LaneEnd,
  type LaneGroups,
  type NewEvent,
  type StoredBatch,
  type StoredEvent,
} from '../src/event-log.js';
import { FIRST_HEAD } from '../src/hash-chain.js';

/** A fault of the next append: the store is away, or its connection breaks around the commit. */
export type Interruption = 'unreachable' | 'lost-before-commit' | 'lost-after-commit';

interface Lane {
  end: LaneEnd;
  /** The event of position n at index n − 1. */
  readonly events: StoredEvent[];
  readonly batches: StoredBatch[];
  /** Events by call id, and by account and version: the two things that are unique in a lane. */
  readonly byCall: Map<string, StoredEvent>;
  readonly byVersion: Map<string, StoredEvent>;
}

/** The log in memory, with the rules and the errors of the one in PostgreSQL. */
export class MemoryEventLog implements EventLog {
  private readonly lanes: Lane[] = Array.from({ length: ACCOUNT_LANES + 1 }, (_, lane) => ({
    end: { lane, position: 0, head: FIRST_HEAD },
    events: [],
    batches: [],
    byCall: new Map(),
    byVersion: new Map(),
  }));
  private readonly interruptions: Interruption[] = [];

  /** `now`: real time, ms since 1970. */
  constructor(
    private readonly now: () => number = Date.now,
    readonly groups: LaneGroups = laneGroups(LANE_GROUPS),
  ) {}

  /** Lets the next append that has no interruption yet fail in this way. */
  interruptNext(interruption: Interruption): void {
    this.interruptions.push(interruption);
  }

  /** Returns a function that restores these lanes, or all, as they are now. */
  mark(lanes: readonly number[] = [...this.lanes.keys()]): () => void {
    const ends = lanes.map((lane) => this.lane(lane).end);
    return () => ends.forEach((end) => this.shorten(end));
  }

  async append(appends: readonly LaneAppend[]): Promise<LaneEnd[]> {
    if (appends.length === 0) return [];
    const planned = planAppend(appends, this.groups);
    // As with a real store, nothing has happened yet when the caller goes on.
    await Promise.resolve();
    const interruption = this.interruptions.shift();
    if (interruption === 'unreachable') {
      throw new LogUnavailableError('The log could not be reached.');
    }
    const written = interruption === 'lost-before-commit' ? [] : this.write(planned);
    if (interruption === undefined) return written;
    throw new AppendUncertainError('The connection was lost in an append.');
  }

  async ends(lanes?: readonly number[]): Promise<LaneEnd[]> {
    const ends = this.lanes.map(({ end }) => end);
    return lanes === undefined ? ends : ends.filter(({ lane }) => lanes.includes(lane));
  }

  async read(lane: number, after: number, limit: number): Promise<StoredEvent[]> {
    return this.lane(lane).events.slice(after, after + limit);
  }

  async readAccount(
    accountId: string,
    afterVersion: number,
    limit: number,
  ): Promise<StoredEvent[]> {
    return this.lane(laneOf(accountId))
      .events.filter((event) => event.accountId === accountId)
      .filter(({ accountVersion }) => accountVersion > afterVersion)
      .toSorted((a, b) => a.accountVersion - b.accountVersion)
      .slice(0, limit);
  }

  async batches(lane: number, after: number, limit: number): Promise<StoredBatch[]> {
    return this.lane(lane)
      .batches.filter(({ lastPosition }) => lastPosition > after)
      .slice(0, limit);
  }

  async findCalls(calls: readonly CallReference[]): Promise<StoredEvent[]> {
    const found = calls.map(({ lane, callId }) => this.lane(lane).byCall.get(callId));
    return found.filter((event) => event !== undefined);
  }

  /** Synchronous from the first check to the last write: nobody comes between. */
  private write(planned: readonly PlannedLane[]): LaneEnd[] {
    for (const { events } of planned) events.forEach(checkJson);
    const standing = planned.filter(({ from }) => this.standsAt(from));
    for (const part of standing) this.checkUnique(part);
    for (const part of standing) this.writeLane(part);
    return standing.map(({ to }) => to);
  }

  private standsAt({ lane, position, head }: LaneEnd): boolean {
    const { end } = this.lane(lane);
    return end.position === position && end.head === head;
  }

  private checkUnique({ to, events }: PlannedLane): void {
    const seen = new Set<string>();
    const { byCall, byVersion } = this.lane(to.lane);
    for (const event of events) {
      const { callId } = event;
      const version = versionKey(event);
      const exists = byVersion.has(version) || (callId !== null && byCall.has(callId));
      if (exists || seen.has(version) || (callId !== null && seen.has(callId))) {
        throw new BadEventError(`An event exists already (${version}, call ${callId}).`);
      }
      seen.add(version);
      if (callId !== null) seen.add(callId);
    }
  }

  private writeLane({ from, to, events }: PlannedLane): void {
    const lane = this.lane(to.lane);
    for (const [index, { hash: _, ...created }] of events.entries()) {
      const event = { ...created, lane: to.lane, position: from.position + index + 1 };
      lane.events.push(event);
      lane.byVersion.set(versionKey(event), event);
      if (event.callId !== null) lane.byCall.set(event.callId, event);
    }
    const { position: lastPosition, head: hash } = to;
    const committedAt = this.now();
    lane.batches.push({ lane: to.lane, lastPosition, events: events.length, hash, committedAt });
    lane.end = to;
  }

  private shorten(end: LaneEnd): void {
    const lane = this.lane(end.lane);
    for (const event of lane.events.splice(end.position)) {
      lane.byVersion.delete(versionKey(event));
      if (event.callId !== null) lane.byCall.delete(event.callId);
    }
    const kept = lane.batches.findIndex(({ lastPosition }) => lastPosition > end.position);
    if (kept >= 0) lane.batches.splice(kept);
    lane.end = end;
  }

  private lane(number: number): Lane {
    const lane = this.lanes[number];
    if (lane === undefined) throw new RangeError(`There is no lane ${number}.`);
    return lane;
  }
}

function checkJson({ data }: NewEvent): void {
  try {
    JSON.parse(data);
  } catch (error) {
    throw new BadEventError('The data is not JSON.', { cause: error });
  }
}

function versionKey({ accountId, accountVersion }: NewEvent | StoredEvent): string {
  return `${accountId} ${accountVersion}`;
}
