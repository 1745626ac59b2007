import { AccountDamagedError } from '#account/charging.js';
import type { Answer } from './submission.js';

/** Longer than an append takes, and shorter than callers wait. */
const STUCK_MS = 2_000;
/** A failure that is older says nothing of now. */
const FAILED_MS = 10_000;

/** Notices when commands come and none is decided. */
export class DecisionWatch {
  private waiting = 0;
  /** When a command was decided, or began to wait where none did; by `performance.now()`. */
  private movedAt = 0;
  private failedAt = -Infinity;
  private wasStuck = false;

  /** To be called with each command, of which one of the others reports the end. */
  begin(): void {
    if (this.waiting === 0 && !this.isFailing) this.movedAt = performance.now();
    this.waiting += 1;
  }

  answered({ refusal }: Answer): void {
    this.waiting -= 1;
    // It was never looked at in time.
    if (refusal?.reason === 'too-late') this.failedAt = performance.now();
    else this.move();
  }

  failed(error: unknown): void {
    this.waiting -= 1;
    if (!(error instanceof AccountDamagedError)) this.failedAt = performance.now();
  }

  /** Commands waited or failed for a while, and none was decided since. */
  get isStuck(): boolean {
    const isIdle = this.waiting === 0 && !this.isFailing;
    this.wasStuck ||= !isIdle && performance.now() - this.movedAt > STUCK_MS;
    return this.wasStuck;
  }

  /** A command is decided, or could be. */
  move(): void {
    this.movedAt = performance.now();
    this.failedAt = -Infinity;
    this.wasStuck = false;
  }

  private get isFailing(): boolean {
    return performance.now() - this.failedAt < FAILED_MS;
  }
}
