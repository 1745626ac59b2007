/** Tokens of the ports that have no class of their own. */
export const ACCOUNT_READS = Symbol('account reads');
export const CLOCK = Symbol('clock');
export const EVENT_LOG = Symbol('event log');
export const PROJECTION_PROGRESS = Symbol('projection progress');

/** How far the rows of projections have come, whichever process writes them. */
export interface ProjectionProgress {
  /** Waits until a projection has applied lane → position; false when `timeoutMs` pass before. */
  catchUp(
    projection: string,
    positions: ReadonlyMap<number, number>,
    timeoutMs: number,
  ): Promise<boolean>;
  /** Events that each projection is behind the log. */
  lag(): Promise<ReadonlyMap<string, number>>;
}
