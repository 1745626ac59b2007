import type { LaneGroups } from '#event-log/event-log.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import type { Foundations } from '#service/foundations.js';
import type { AskPart } from '#service/readiness-parts.js';
import type { Shutdown } from '#web/shutdown.js';
import { Accounting, type AccountingParts } from '../accounting.js';
import type { DecisionWatch } from '../decision-watch.js';
import { MeasuredDecider } from '../metrics/measured-decider.js';
import { watchWaiting } from '../metrics/waiting-commands.js';
import type { Decider } from '../submission.js';
import { DeciderThreads } from './decider-threads.js';

/** The decider of a process, running. */
export interface RunningDecider {
  readonly decider: Decider;
  /** Whether commands are decided. */
  readonly decisions: DecisionWatch;
  /** Parts of its readiness; none where the main thread decides. */
  readonly parts: Readonly<Record<string, AskPart>>;
}

/** A decider with what has to be done for it meanwhile and at the end. */
interface Deciding extends Decider {
  giveUpLate(): void;
  stop(): Promise<void>;
}

/** How long a command may go on waiting past its time. */
const SWEEP_MS = 500;

/**
 * Starts what decides: as many threads as DECIDERS says, or the main thread with the parts given.
 * The shutdown stops it.
 */
export async function startDecider(
  foundations: Foundations,
  own: Pick<AccountingParts, 'log' | 'loader' | 'terms' | 'liveTerms'>,
  onFault: (error: unknown) => void,
  shutdown: Shutdown,
): Promise<RunningDecider> {
  const { metrics } = foundations.telemetry;
  const isThreaded = foundations.configuration.deciders > 0;
  const threads = isThreaded ? threadsOf(foundations, own.log.groups, onFault, shutdown) : null;
  const deciding: Deciding = threads ?? inThisThread(foundations, own, onFault);
  const sweeper = setInterval(() => deciding.giveUpLate(), SWEEP_MS);
  shutdown.stop('the sweeper', async () => clearInterval(sweeper));
  shutdown.stop('the lane writers', () => deciding.stop());
  await threads?.start();
  const decider = new MeasuredDecider(deciding, metrics);
  return {
    decider,
    decisions: decider.watch,
    parts: threads === null ? {} : { deciders: () => threads.state() },
  };
}

function inThisThread(
  { clock, pool, telemetry, watch }: Foundations,
  own: Pick<AccountingParts, 'log' | 'loader' | 'terms' | 'liveTerms'>,
  onFault: (error: unknown) => void,
): Deciding {
  const writers = new Accounting({
    ...own,
    watch,
    clock,
    clockState: () => clock.ready(),
    texts: new TextKeys(pool),
    events: { onFault },
  });
  watchWaiting(telemetry.metrics, writers);
  return writers;
}

function threadsOf(
  { calendar, clock, configuration, databaseUrl, logger, telemetry, watch }: Foundations,
  groups: LaneGroups,
  onFault: (error: unknown) => void,
  shutdown: Shutdown,
): DeciderThreads {
  const threads = new DeciderThreads({
    deciders: configuration.deciders,
    groups,
    databaseUrl,
    zone: calendar.zone,
    clock,
    onFault,
    onLost: (lost) => lost.forEach((one) => watch.lost(one)),
    onIdleError: (error) => {
      if (!shutdown.hasBegun) logger.warn({ err: error }, 'A connection of a decider went away.');
    },
    onEnded: (error) => logger.error({ err: error }, 'A decider ended; another takes its place.'),
  });
  telemetry.metrics.addThreads(() => threads.metrics());
  telemetry.metrics.sampled('popindex_deciders', 'Threads that decide.', 'gauge', () => [
    { labels: {}, value: threads.serving },
  ]);
  return threads;
}
