import type { LaneReport } from '../verify/verify-lane.js';

/** The work on each lane, as plain data. */
export type LaneJob =
  | { readonly job: 'verify'; readonly webhookSecret: string | null }
  | {
      readonly job: 'fill';
      /** Names of some of `allProjections`. */
      readonly projections: readonly string[];
      /** Whether their copies are filled, which are being rebuilt. */
      readonly isShadow: boolean;
      readonly eventsMax: number;
      /** Lane and position up to which it is filled. */
      readonly upTo: readonly (readonly [lane: number, position: number])[];
    };

/** All that a thread knows when it starts. */
export interface ThreadData {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
  readonly job: LaneJob;
}

/** Messages of a thread. A requested lane is answered by its number, or null when none is left. */
export type ThreadMessage =
  | { readonly wants: 'lane' }
  | { readonly events: number }
  | { readonly report: LaneReport }
  | { readonly failed: PlainError };

/** An error with the members by which a database's faults are recognized. */
export interface PlainError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly cause?: PlainError | undefined;
}

export function plainError(error: unknown): PlainError {
  const { message = String(error), stack, code, cause } = Object(error) as Partial<PlainError>;
  return { message, stack, code, cause: cause === undefined ? undefined : plainError(cause) };
}

export function errorOf({ message, stack, code, cause }: PlainError): Error {
  const error = new Error(message, cause && { cause: errorOf(cause) });
  return Object.assign(error, { stack }, code !== undefined && { code });
}
