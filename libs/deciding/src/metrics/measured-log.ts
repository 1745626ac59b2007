import type { EventLog, LaneAppend, LaneEnd } from '#event-log/event-log.js';
import type { Metrics } from '#service/metrics/metrics.js';

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4];
const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The same log, measuring how much each commit carries and how long it takes. */
export function measuredLog(log: EventLog, metrics: Metrics): EventLog {
  const sizes = metrics
    .distributions('popindex_commit_events', 'Events of one commit, over all its lanes.', EVENTS)
    .with({});
  const durations = metrics
    .distributions('popindex_commit_duration_seconds', 'How long a commit takes.', SECONDS)
    .with({});
  const failures = metrics
    .counts('popindex_commit_failures_total', 'Commits that failed, or may have.')
    .with({});
  // Everything but the append stays the log's own.
  const measured = Object.create(log) as EventLog;
  measured.append = async (appends: readonly LaneAppend[]): Promise<LaneEnd[]> => {
    const startedAt = performance.now();
    try {
      const ends = await log.append(appends);
      durations.observe((performance.now() - startedAt) / 1000);
      sizes.observe(appends.reduce((sum, { events }) => sum + events.length, 0));
      return ends;
    } catch (error) {
      failures.value += 1;
      throw error;
    }
  };
  return measured;
}
