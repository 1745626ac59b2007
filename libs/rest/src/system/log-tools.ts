import type { RebuildProgress } from '#event-log/rebuild-projection.js';
import type { VerifyProgress, VerifyReport } from '#projections/lane-threads/verify-log.js';
import type { Verification } from './system.schemas.js';

/** The latest rebuild of a projection that this process began. Times in ms since 1970. */
export interface RebuildState {
  readonly state: 'running' | 'done' | 'failed';
  readonly stage: RebuildProgress['stage'];
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly events: number;
  readonly total: number;
  readonly error: string | null;
}

/** The latest verification that this process began. Times in ms since 1970. */
export interface VerificationState {
  readonly state: 'running' | 'done' | 'failed';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly progress: VerifyProgress;
  readonly report: VerifyReport | null;
  readonly error: string | null;
}

/** Work that operators start in the background, with its progress. */
export interface LogTools {
  readonly rebuilds: {
    knows(name: string): boolean;
    start(name: string): 'started' | 'busy' | 'unknown';
    state(name: string): RebuildState | null;
  };
  readonly verifications: {
    start(): 'started' | 'busy';
    state(): VerificationState | null;
    all(): Promise<readonly Verification[]>;
  };
}
