/** Whether one part of a process can serve, and if not, why. */
export interface PartState {
  readonly ready: boolean;
  readonly detail?: string;
}

export interface ReadinessState {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, PartState>>;
  /** Warnings that need attention although the process serves. */
  readonly warnings?: readonly string[];
}

/** Asks every part of a process whether it can serve. */
export type Readiness = () => Promise<ReadinessState>;
