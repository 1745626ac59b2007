import type pg from 'pg';
import { isDatabaseTrouble } from '#database/errors.js';
import { Alarm, growingWaitMs } from './alarm.js';
import { lanesBeyond, startOver } from './lanes-beyond.js';
import { applyOrDamage } from './apply-or-damage.js';
import { SYSTEM_LANE, type LaneGroups } from './event-log.js';
import type { Projection } from './projection.js';
import { OutdatedProjectionError, registerProjection } from './projection-batch.js';
import { pickLanes, type LaneBacklog } from './projection-work.js';
import { isUnreachable } from './query-answering.js';
import { readGroups } from './query-by-lane.js';
import { SharedPoll } from './shared-poll.js';

export interface LoopOptions {
  /** Most events in one transaction. */
  readonly eventsMax: number;
  /** How long to wait when there is nothing new and nobody wakes the loop. */
  readonly pollMs: number;
  /** Waits after faults of the database: the first, and the most they grow to. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
  /** Called after each committed transaction. */
  readonly onProgress: () => void;
  /** Called when the state changes, or another error holds it. */
  readonly onState: () => void;
  /** Called with lanes that ended before the checkpoint: their rows are rebuilt. */
  readonly onStartOver: (projection: string, lanes: readonly number[]) => void;
  /** Called for each outage (the loop goes on) and for the error that stops the projection. */
  readonly onError: (projection: string, error: unknown, fatal: boolean) => void;
}

/** `outdated`: its rows are of an older version, and it goes on once somebody has rebuilt them. */
export type LoopState = 'stopped' | 'running' | 'waiting-for-database' | 'outdated' | 'failed';

/** So many polls long events gather after a turn that was not full. */
const GATHER_POLLS = 4;
/** While other runners hold the lanes picked, the next ones are tried this soon. */
const TAKEN_WAIT_MS = 5;

/** Keeps one projection up with the log, one transaction after the other. */
export class ProjectionLoop {
  state: LoopState = 'stopped';
  /** The error that stopped it, or the outage it waits for. */
  error: unknown;
  private readonly alarm = new Alarm();
  private stopping = false;
  private running: Promise<void> | undefined;
  private lastLane = -1;
  private registered = false;
  /** When it is registered again because lanes were away, by `performance.now()`. */
  private registerAt = Infinity;
  /** Lanes that one statement may lock. */
  private groups: LaneGroups = [];
  /** Lanes that could not be written, and when they are tried again, by `performance.now()`. */
  private readonly heldBack = new Map<number, number>();
  /** Wait for the end of a turn that has not begun yet. */
  private waiting: (() => void)[] = [];

  constructor(
    private readonly pool: pg.Pool,
    readonly projection: Projection,
    private readonly options: LoopOptions,
    /** Takes a turn before each batch of this one. */
    private readonly first?: ProjectionLoop,
    /** That of the projections which want the same. */
    private readonly look = new SharedPoll(pool),
  ) {}

  /** Begins, or begins again after a stop or a failure. */
  start(): void {
    if (this.running !== undefined) return;
    this.stopping = false;
    this.become('running');
    this.running = this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Looks for new events at once. */
  wake(): void {
    this.alarm.ring();
  }

  /** Resolves after a turn that begins now or later, and at once where none will be taken. */
  nextTurn(): Promise<void> {
    if (this.state !== 'running') return Promise.resolve();
    this.alarm.ring();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Resolves when the transaction under way is finished and no other will follow. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    let failures = 0;
    this.registered = false;
    while (!this.stopping) {
      try {
        if (!this.registered || performance.now() > this.registerAt) await this.register();
        const waitMs = await this.turn();
        failures = 0;
        this.become('running');
        if (waitMs > 0) await this.alarm.wait(waitMs);
      } catch (error) {
        if (error instanceof OutdatedProjectionError) {
          await this.waitForRebuild(error);
          continue;
        }
        if (!isDatabaseTrouble(error)) return this.fail(error);
        // Lanes may have moved apart, and rows may be those of another version.
        this.registered = false;
        failures += 1;
        await this.waitOut(error, failures);
      }
    }
    this.become('stopped', this.error);
  }

  private async register(): Promise<void> {
    const isWhole = await registerProjection(this.pool, this.projection);
    this.registerAt = isWhole ? Infinity : performance.now() + this.options.retryMostMs;
    this.groups = await readGroups(this.pool);
    this.registered = true;
  }

  private become(state: LoopState, error?: unknown): void {
    if (state === this.state && error === this.error) return;
    this.state = state;
    this.error = error;
    if (state !== 'running') this.waiting.splice(0).forEach((resolve) => resolve());
    this.options.onState();
  }

  /** At most one transaction. Answers after how many ms the next turn is due. */
  private async turn(): Promise<number> {
    const awaited = this.waiting.splice(0);
    try {
      return await this.work();
    } finally {
      awaited.forEach((resolve) => resolve());
    }
  }

  private async work(): Promise<number> {
    const { eventsMax, pollMs, onProgress } = this.options;
    const found = await this.look.find(this.projection, this.groups);
    const { skipped } = found;
    const backlog = found.backlog.filter(({ lane }) => !this.isHeldBack(lane));
    if (skipped > 0) onProgress();
    // A turn costs more than its events: one that was not full lets some more of them gather.
    if (backlog.length === 0) return skipped > 0 ? this.gatherMs() : pollMs;
    if (backlog.some(({ behind }) => behind < 0)) {
      await this.startOver();
      return 0;
    }
    const lanes = pickLanes(backlog, this.lastLane, eventsMax, this.groups);
    this.lastLane = lanes.at(-1)?.lane ?? -1;
    await this.first?.nextTurn();
    const applied = await this.apply(lanes);
    if (applied === null) return 0;
    if (applied > 0) {
      onProgress();
      return applied < eventsMax ? this.gatherMs() : 0;
    }
    // Others hold these lanes, or their rows have become those of another version.
    this.registered = false;
    return TAKEN_WAIT_MS;
  }

  /** Up to a moment at which all loops look, so that they look together. */
  private gatherMs(): number {
    const gatherMs = GATHER_POLLS * this.options.pollMs;
    return gatherMs - (performance.now() % gatherMs);
  }

  /** Null: a server of the cluster that it needs is away, and other lanes come first. */
  private async apply(lanes: readonly LaneBacklog[]): Promise<number | null> {
    try {
      return await applyOrDamage(this.pool, this.projection, lanes);
    } catch (error) {
      if (this.groups.length === 1 || !isUnreachable(error)) throw error;
      const until = performance.now() + this.options.retryMostMs;
      // Events of the system alone write what every server holds; beside them all lanes go on.
      const blocked = lanes.filter(({ lane }) => lane === SYSTEM_LANE);
      for (const { lane } of blocked.length > 0 ? blocked : lanes) this.heldBack.set(lane, until);
      this.options.onError(this.projection.name, error, false);
      return null;
    }
  }

  private isHeldBack(lane: number): boolean {
    return performance.now() < (this.heldBack.get(lane) ?? 0);
  }

  private async startOver(): Promise<void> {
    const beyond = await lanesBeyond(this.pool, this.projection);
    const begun = await startOver(this.pool, this.projection, beyond);
    if (begun.length > 0) this.options.onStartOver(this.projection.name, begun);
    // Rows of another version are rebuilt, not continued: that is found where they are registered.
    if (beyond.length === 0) this.registered = false;
  }

  private async waitForRebuild(error: OutdatedProjectionError): Promise<void> {
    this.become('outdated', error);
    const until = performance.now() + this.options.pollMs;
    while (!this.stopping && performance.now() < until) {
      await this.alarm.wait(until - performance.now());
    }
  }

  private fail(error: unknown): void {
    this.become('failed', error);
    this.options.onError(this.projection.name, error, true);
  }

  private async waitOut(error: unknown, failures: number): Promise<void> {
    const { retryFirstMs, retryMostMs, onError } = this.options;
    this.become('waiting-for-database', error);
    onError(this.projection.name, error, false);
    // A wake-up says that there is work, not that the database is back.
    const until = performance.now() + growingWaitMs(failures, retryFirstMs, retryMostMs);
    while (!this.stopping && performance.now() < until) {
      await this.alarm.wait(until - performance.now());
    }
  }
}
