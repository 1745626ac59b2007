import { Alarm } from './alarm.js';
import { LogUnavailableError, type EventLog, type LaneEnd } from './event-log.js';
import { findLost, type LostPositions } from './lane-continuity.js';

/** Somebody in the process who holds what follows from lanes. */
export interface LaneHolder {
  /** Up to where it knows its lanes; nothing for one that only remembers. */
  ends(): Iterable<LaneEnd>;
  /** Drops everything that it holds about the lane. What it needs it reads again. */
  forget(lane: number): void;
}

export interface LaneWatchParts {
  readonly log: Pick<EventLog, 'ends' | 'batches'>;
  /** Given what was lost, all lanes in one. */
  readonly onLost: (lost: readonly LostPositions[]) => void;
  readonly onFault: (error: unknown) => void;
  /** Resolves when it is time for another look, after the log was away. */
  readonly retryWait?: () => Promise<void>;
}

const RETRY_MS = 250;

/**
 * Handles a log that has gone back behind what the process knows: a part that notices it in one
 * lane reports it here, all lanes are checked, and all holders drop the lanes that have lost
 * positions.
 */
export class LaneWatch {
  private readonly holders = new Set<LaneHolder>();
  private pending = new Map<number, LostPositions>();
  private looking: Promise<void> | null = null;
  private readonly alarm = new Alarm();
  private isStopped = false;

  constructor(private readonly parts: LaneWatchParts) {}

  register(holder: LaneHolder): void {
    this.holders.add(holder);
  }

  /** Called by a holder that has dropped the lane itself. */
  lost(lost: LostPositions): void {
    this.note(lost);
    this.forget(lost.lane);
    this.looking ??= this.look().finally(() => (this.looking = null));
  }

  /** Resolves once every noticed loss is reported. */
  async settled(): Promise<void> {
    await this.looking;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.alarm.ring();
    await this.looking;
  }

  private async look(): Promise<void> {
    while (this.pending.size > 0 && !this.isStopped) {
      try {
        await this.lookAtAll();
        const lost = [...this.pending.values()].toSorted((a, b) => a.lane - b.lane);
        this.pending = new Map();
        this.parts.onLost(lost);
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) this.parts.onFault(error);
        await (this.parts.retryWait?.() ?? this.alarm.wait(RETRY_MS));
      }
    }
  }

  /** Known ends are collected first: the log's answer has to continue them. */
  private async lookAtAll(): Promise<void> {
    const known = [...this.holders].flatMap((holder) => [...holder.ends()]);
    const ends = await this.parts.log.ends([...new Set(known.map(({ lane }) => lane))]);
    const byLane = new Map(ends.map((end) => [end.lane, end]));
    for (const end of known) {
      const now = byLane.get(end.lane);
      if (now === undefined) continue;
      const lost = await findLost(this.parts.log, end, now);
      if (lost === null) continue;
      this.note(lost);
      this.forget(lost.lane);
    }
  }

  /** Of what several holders knew of a lane, the one that knew most has lost most. */
  private note(lost: LostPositions): void {
    const noted = this.pending.get(lost.lane);
    if (noted === undefined || lost.from > noted.from) this.pending.set(lost.lane, lost);
  }

  private forget(lane: number): void {
    for (const holder of this.holders) holder.forget(lane);
  }
}
