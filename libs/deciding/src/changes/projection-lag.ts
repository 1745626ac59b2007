import type { EventLog } from '#event-log/event-log.js';

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

const WAIT_MS = 2_000;

/**
 * Waits until a projection holds all that stands in the log by now. Answers 0 then, and after 2 s
 * in vain how many events it is behind. Throws LogUnavailableError.
 */
export async function lagAfterWait(
  log: Pick<EventLog, 'ends'>,
  progress: ProjectionProgress,
  projection: string,
): Promise<number> {
  const ends = await log.ends();
  const positions = new Map(ends.map(({ lane, position }) => [lane, position]));
  if (await progress.catchUp(projection, positions, WAIT_MS)) return 0;
  return (await progress.lag()).get(projection) ?? 0;
}
