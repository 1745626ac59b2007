import type { Submission } from '#deciding/submission.js';

/**
 * How an attempt ended. `unavailable` and `refused` promise that it is not charged; `unknown` and
 * `lost` (its process crashed) promise nothing.
 */
export type Ending = 'open' | 'answered' | 'refused' | 'unavailable' | 'unknown' | 'lost';

/** One submission of a command to a process. Several may carry the same id. */
export interface Attempt {
  readonly submission: Submission;
  /** Which attempt of its client this is: 1, 2, 3, … */
  readonly number: number;
  readonly process: number;
  /** How often the log had gone back when it was sent. */
  readonly sentInHistory: number;
  /** Version of its account when it was sent: an answer knows at least this. */
  readonly sentAtVersion: number;
  /** Ms since 1970. */
  readonly sentAt: number;
  /** How many times the process had read its clock when it took the attempt over. */
  clockReads: number;
  ending: Ending;
}

/** Everything that clients and operators have sent, by the id of the command. */
export class Attempts {
  readonly all: Attempt[] = [];
  private readonly byId = new Map<string, Attempt[]>();
  private ids = 0;

  newId(): string {
    this.ids += 1;
    return `0197c000-0000-7000-9000-${this.ids.toString(16).padStart(12, '0')}`;
  }

  add(attempt: Attempt): void {
    const { callId } = attempt.submission;
    this.all.push(attempt);
    const others = this.byId.get(callId);
    if (others === undefined) this.byId.set(callId, [attempt]);
    else others.push(attempt);
  }

  of(callId: string): readonly Attempt[] {
    return this.byId.get(callId) ?? [];
  }

  /** True if every sender of this command got the answer that it is not charged. */
  allDenied(callId: string): boolean {
    return this.of(callId).every(({ ending }) => ending === 'refused' || ending === 'unavailable');
  }

  get open(): Attempt[] {
    return this.all.filter(({ ending }) => ending === 'open');
  }
}
