import { LeftCalls, type LeftCallsParts } from '#charging-link/left-calls.js';
import { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import type { PartState } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import type { Foundations } from './foundations.js';

/** Keeps the calls that this process has not answered yet in DATA_DIR until the shutdown. */
export function keepUnansweredCalls(
  { configuration, logger, telemetry }: Foundations,
  shutdown: Shutdown,
): UnansweredCalls {
  const unanswered = new UnansweredCalls(configuration.dataDir, (error) =>
    logger.error(
      { err: error },
      'Unanswered calls cannot be kept: a kill would leave them charged.',
    ),
  );
  shutdown.stop('the unanswered calls', async () => unanswered.close());
  const { metrics } = telemetry;
  metrics.sampled(
    'popindex_unanswered_calls',
    'Calls under way whose charge this process would have to give back if it were killed.',
    'gauge',
    () => [{ labels: {}, value: unanswered.size }],
  );
  metrics.sampled(
    'popindex_unanswered_calls_faults_total',
    'Attempts to keep unanswered calls that failed on the disk.',
    'counter',
    () => [{ labels: {}, value: unanswered.faults }],
  );
  return unanswered;
}

/** Calls are served all the same: only a kill at that very time would leave them charged. */
export function unansweredPart(unanswered: UnansweredCalls): PartState {
  if (unanswered.isKept) return { ready: true };
  return { ready: true, detail: 'The disk takes nothing; a kill would leave calls charged.' };
}

/** Settles what processes that were killed have left in DATA_DIR, until the shutdown. */
export function settleLeftCalls(
  { configuration, clock, logger, telemetry }: Foundations,
  settle: LeftCallsParts['settle'],
  shutdown: Shutdown,
): void {
  const left = new LeftCalls({
    dataDir: configuration.dataDir,
    settle,
    now: () => clock.now(),
    onFault: (error) =>
      logger.error({ err: error }, 'Calls of a killed process wait for the disk.'),
  });
  void left.start();
  shutdown.stop('the calls that were left', async () => left.stop());
  telemetry.metrics.sampled(
    'popindex_left_calls_total',
    'Unanswered calls of killed processes that this process has taken over.',
    'counter',
    () => [{ labels: {}, value: left.taken }],
  );
}
