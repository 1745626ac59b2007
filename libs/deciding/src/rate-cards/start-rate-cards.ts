import type { EventLog } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import type { Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';
import { SystemChanges } from '../changes/system-changes.js';
import { LiveTerms } from '../live-terms.js';
import { RateCards } from './rate-cards.js';

/** The rate cards of a process: what its calls are priced by, and what operators do with cards. */
export interface RunningRateCards {
  readonly liveTerms: LiveTerms;
  readonly rateCards: RateCards;
}

/**
 * Reads the rate cards and follows them until the shutdown. `log`: one whose connections no long
 * read can hold. Throws LogUnavailableError.
 */
export async function startRateCards(
  { calendar, clock, logger, watch }: Foundations,
  log: EventLog,
  shutdown: Shutdown,
): Promise<RunningRateCards> {
  const stream = new SystemStream(log, watch);
  const onFault = (error: unknown): void =>
    logger.warn({ err: error }, 'The rate cards could not be read.');
  const liveTerms = new LiveTerms({ stream, calendar, clock, onFault });
  await liveTerms.refresh();
  liveTerms.start();
  shutdown.stop('the rate cards', async () => liveTerms.stop());
  const clockState = () => clock.ready();
  const changes = new SystemChanges(stream, clock);
  return {
    liveTerms,
    rateCards: new RateCards({ changes, liveTerms, calendar, clock, clockState }),
  };
}
