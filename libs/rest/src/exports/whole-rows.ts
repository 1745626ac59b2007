import type { EventLog } from '#event-log/event-log.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import { ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import type { LogEnds } from './export-source.js';

interface LogAndRows {
  readonly log: Pick<EventLog, 'ends'>;
  readonly projections: Pick<ProjectionProgress, 'catchUp'>;
}

const CATCH_UP_MS = 10_000;
const TRY_AGAIN_SECONDS = 10;

/**
 * The ends of lanes (all of them by default) as they are now, once the rows of projections hold all
 * up to them: an export leaves nothing out. Throws a ProblemException where they do not for 10 s.
 */
export async function wholeRows(
  { log, projections }: LogAndRows,
  names: readonly string[],
  lanes?: readonly number[],
): Promise<LogEnds> {
  const ends = new Map((await log.ends(lanes)).map(({ lane, position }) => [lane, position]));
  for (const name of names) {
    if (await projections.catchUp(name, ends, CATCH_UP_MS)) continue;
    const detail = `The rows of ${name} are behind the log: the export would not be whole.`;
    throw new ProblemException(accountingUnavailable(detail, TRY_AGAIN_SECONDS));
  }
  return ends;
}
