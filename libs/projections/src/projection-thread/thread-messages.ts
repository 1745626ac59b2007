import type { ProjectionStatus } from '#event-log/projection-runner.js';
import type { PlainError } from '#workers/plain-error.js';

/** All that the thread knows when it starts. */
export interface ProjectionThreadData {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
}

export type PlainStatus = Omit<ProjectionStatus, 'error'> & {
  readonly error: PlainError | undefined;
};

export interface ProjectionFault {
  readonly projection: string;
  readonly error: PlainError;
  /** Whether it has stopped the projection. */
  readonly fatal: boolean;
}
