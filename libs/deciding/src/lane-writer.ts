import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { AccountState } from '#account/state.js';
import {
  AppendUncertainError,
  BadEventError,
  LogUnavailableError,
  type LaneEnd,
  type LaneGroups,
} from '#event-log/event-log.js';
import { isSameEnd } from '#event-log/lane-continuity.js';
import { fold, type FoldedBatch, type LaneBatch } from './fold.js';
import { answerAll, byGroup, isDurable, isOutage, partsOf, pendingOf } from './lane-batches.js';
import type { LaneWriterParts } from './lane-writer-parts.js';
import { undo } from '#projections/snapshots/own-account.js';
import type { Answer, Pending, Submission } from './submission.js';

const RETRY_MS = 5;
const RETRY_MS_MAX = 500;
/** Somebody has to put it right. */
const FAULT_S = 60;

/**
 * Decides all commands of a group of lanes, one batch after the other: fold, append in one
 * transaction, then evolve and answer. While one batch commits, or another group has its turn, the
 * next one fills.
 */
export class LaneWriter {
  private queue: Pending[] = [];
  private running: Promise<void> | null = null;
  private stopping = false;

  /** Those of the log by which it was made: all of its lanes are of one. */
  private readonly groups: LaneGroups;

  constructor(protected readonly parts: LaneWriterParts) {
    this.groups = parts.log.groups;
  }

  /** Resolves once it is durable. Throws AccountingUnavailableError, OutcomeUnknownError. */
  submit(submission: Submission): Promise<Answer<AccountState>> {
    if (this.stopping || this.queue.length >= this.parts.limits.queueMax) {
      return Promise.reject(new AccountingUnavailableError('Too many commands wait already.'));
    }
    return new Promise((resolve, reject) => {
      const { isRetry } = submission;
      this.queue.push({ submission, resolve, reject, isRetry, uncertainSinceHead: null });
      this.running ??= this.run();
      this.parts.turns.reached(this.queue.length);
    });
  }

  /** The number of commands that wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Answers those whose callers wait no longer, also while an append hangs. */
  giveUpLate(): void {
    const now = this.parts.clock.now();
    const isLate = ({ submission }: Pending): boolean => now > submission.notAfter;
    const late = this.queue.filter(isLate);
    if (late.length === 0) return;
    this.queue = this.queue.filter((pending) => !isLate(pending));
    for (const pending of late) {
      if (pending.uncertainSinceHead !== null) continue;
      pending.reject(new AccountingUnavailableError('The log did not answer in time.'));
    }
    this.keepWaiting(late.filter(({ uncertainSinceHead }) => uncertainSinceHead !== null));
  }

  /** Takes nothing new and waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    // Everything that asked in this turn of the event loop goes into the first batch.
    await Promise.resolve();
    let failures = 0;
    const { turns, limits, known } = this.parts;
    while (this.queue.length > 0) {
      const turn = await turns.begin(() => this.queue.length);
      const batch = this.queue.splice(0, limits.batchMax);
      const progress = await this.process(batch).finally(() => turns.end(turn));
      known.shrink();
      failures = progress ? 0 : failures + 1;
      if (!progress) await (this.parts.retryWait ?? pause)(failures);
    }
    // In the same turn as the last look at the queue: what is pushed from now on starts a new run.
    this.running = null;
  }

  /** Answers a batch or puts back what has to be tried again. False: better wait a moment. */
  private async process(batch: readonly Pending[]): Promise<boolean> {
    let sound: readonly Pending[];
    try {
      sound = await this.parts.known.prepare(batch);
    } catch (error) {
      // What is no outage is about one of them: the others must not fail with it.
      if (!isOutage(error)) return this.splitOrReject(batch, error);
      this.refuseUnreached(batch, error);
      return false;
    }
    if (sound.length < batch.length) this.refuseDamaged(batch);
    let folded: FoldedBatch;
    try {
      folded = this.decide(sound);
    } catch (error) {
      return this.splitOrReject(sound, error);
    }
    this.queue.unshift(...folded.deferred);
    return this.commit(folded);
  }

  protected decide(batch: readonly Pending[]): FoldedBatch {
    const { known, clock, terms } = this.parts;
    return fold(batch, known, clock.now(), terms());
  }

  protected async commit(folded: FoldedBatch): Promise<boolean> {
    const lanes = [...folded.lanes.values()];
    const written = lanes.filter(({ events }) => events.length > 0);
    const unwritten = lanes.filter(({ events }) => events.length === 0);
    const { groups } = this.parts.log;
    const appends = groups === this.groups ? [written] : byGroup(written, groups);
    const writes = appends.map((own) => this.write(own));
    const done = await Promise.all([...writes, this.confirm(unwritten)]);
    return done.every(Boolean);
  }

  private async write(lanes: readonly LaneBatch[]): Promise<boolean> {
    if (lanes.length === 0) return true;
    const { log, known } = this.parts;
    try {
      const appends = lanes.map(({ lane, events }) => ({ end: known.end(lane), events }));
      return this.answerWritten(lanes, await log.append(appends));
    } catch (error) {
      return this.recover(lanes, error);
    }
  }

  /**
   * Answers that write nothing are given only if they were decided on all that is committed: no
   * append has checked it for them, and another process may have written since.
   */
  protected async confirm(lanes: readonly LaneBatch[]): Promise<boolean> {
    if (lanes.length === 0) return true;
    const { log, known } = this.parts;
    let ends: LaneEnd[];
    try {
      ends = await log.ends(lanes.map(({ lane }) => lane));
    } catch (error) {
      this.refuseUnreached(pendingOf(lanes), error);
      return false;
    }
    const now = new Map(ends.map((end) => [end.lane, end]));
    let all = true;
    for (const lane of lanes) {
      const end = now.get(lane.lane);
      if (end !== undefined && isSameEnd(end, known.end(lane.lane))) {
        all = this.answerUnwritten(lane) && all;
      } else {
        known.outdate(lane.lane);
        this.requeue(lane);
        all = false;
      }
    }
    return all;
  }

  /** Callers whose lost commit may still happen get no answer before the lane has moved on. */
  protected answerUnwritten({ lane, answers }: LaneBatch): boolean {
    const { head } = this.parts.known.end(lane);
    const open = answers.filter(
      ({ pending, answer }) => pending.uncertainSinceHead === head && !isDurable(answer),
    );
    const held = new Set(open.map(({ pending }) => pending));
    for (const { pending, answer } of answers) if (!held.has(pending)) pending.resolve(answer);
    this.keepWaiting([...held]);
    return held.size === 0;
  }

  /** Lanes that were written are evolved and answered, the others are decided again. */
  private answerWritten(written: readonly LaneBatch[], ends: readonly LaneEnd[]): boolean {
    const moved = new Map(ends.map((end) => [end.lane, end]));
    let all = true;
    for (const lane of written) {
      const end = moved.get(lane.lane);
      if (end === undefined) {
        undo(lane.applied);
        this.parts.known.outdate(lane.lane);
        this.requeue(lane);
        all = false;
      } else {
        this.parts.known.advance(end, lane);
        answerAll(lane);
      }
    }
    return all;
  }

  private requeue(lane: LaneBatch): void {
    this.queue.unshift(...lane.answers.map(({ pending }) => pending));
  }

  private recover(written: readonly LaneBatch[], error: unknown): Promise<boolean> | boolean {
    const batch = pendingOf(written);
    for (const { applied } of written) undo(applied);
    if (error instanceof AppendUncertainError) {
      const { known } = this.parts;
      for (const { lane, answers } of written) {
        known.outdate(lane);
        for (const { pending } of answers) {
          pending.isRetry = true;
          pending.uncertainSinceHead = known.end(lane).head;
        }
      }
      this.queue.unshift(...batch);
      return false;
    }
    if (error instanceof LogUnavailableError) {
      this.refuseUnreached(batch, error);
      return false;
    }
    return this.splitOrReject(batch, error);
  }

  /** The log is away: refuses all but the callers whose commit may have happened. */
  private refuseUnreached(batch: readonly Pending[], error: unknown): void {
    this.parts.events.onFault(error);
    for (const pending of batch) {
      if (pending.uncertainSinceHead !== null) continue;
      pending.reject(new AccountingUnavailableError(`The log is away: ${String(error)}`));
    }
    this.keepWaiting(batch.filter(({ uncertainSinceHead }) => uncertainSinceHead !== null));
  }

  /** Damage stays until somebody repairs it: refuses its callers, so that nobody else waits. */
  private refuseDamaged(batch: readonly Pending[]): void {
    for (const pending of batch) {
      const { accountId, callId } = pending.submission;
      const damage = this.parts.known.damage(accountId);
      if (damage === undefined) continue;
      pending.reject(
        pending.uncertainSinceHead === null ? damage : new OutcomeUnknownError(callId),
      );
    }
  }

  /** Their fate is unknown: they are tried again until their callers have gone. */
  private keepWaiting(batch: readonly Pending[]): void {
    const now = this.parts.clock.now();
    for (const pending of batch) {
      const { submission } = pending;
      if (now <= submission.notAfter) {
        this.queue.push(pending);
        continue;
      }
      pending.reject(new OutcomeUnknownError(submission.callId));
    }
  }

  /** Something in the batch is bad: by lane, then command by command, until it fails alone. */
  private async splitOrReject(batch: readonly Pending[], error: unknown): Promise<boolean> {
    const [first, ...others] = batch;
    if (first === undefined) return true;
    if (others.length > 0) {
      for (const part of partsOf(batch)) await this.process(part);
      return true;
    }
    if (error instanceof BadEventError && !first.isRetry) {
      // Most likely its id is in the log although its caller did not know.
      first.isRetry = true;
      return this.process([first]);
    }
    this.parts.events.onFault(error);
    first.reject(failureOf(first, error));
    return true;
  }
}

/** A call that fails alone was not written, unless a commit before may have written it. */
function failureOf({ submission, uncertainSinceHead }: Pending, error: unknown): Error {
  const { callId, command } = submission;
  if (uncertainSinceHead !== null) return new OutcomeUnknownError(callId);
  if (command.command === 'make-call') {
    return new AccountingUnavailableError(`The call cannot be decided: ${String(error)}`, FAULT_S);
  }
  return error instanceof Error ? error : new Error(String(error));
}

function pause(failures: number): Promise<void> {
  const most = Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX);
  return new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)));
}
