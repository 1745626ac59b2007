import type { ProjectionStatus } from '#event-log/projection-runner.js';
import type { PlainError } from '../lane-threads/lane-job.js';

/** All that the thread knows when it starts. */
export interface ProjectionThreadData {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
}

/** Messages to the thread. After `stop` it finishes its transactions, and ends. */
export type ToThread = 'start' | 'wake' | 'stop';

export type PlainStatus = Omit<ProjectionStatus, 'error'> & {
  readonly error: PlainError | undefined;
};

/** Messages of the thread. */
export type FromThread =
  | { readonly states: readonly PlainStatus[] }
  | { readonly fault: PlainError; readonly projection: string; readonly fatal: boolean }
  | { readonly startedOver: string; readonly lanes: readonly number[] }
  | { readonly lost: PlainError };
