import type { RunningReceipts } from '#receipts/start-receipts.js';
import type { Charging } from '#account/charging.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import type { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import type { Foundations } from '#service/foundations.js';
import {
  foundationWarnings,
  readinessOf,
  withWarnings,
  type AskPart,
} from '#service/readiness-parts.js';
import { serve } from '#service/serve.js';
import type { Shutdown } from '#web/shutdown.js';
import { createApi } from './create-api.js';
import { keepRefusedCalls } from './keep-refused-calls.js';
import type { ApiWorker } from './worker.js';

/** Parts of a process that its public API asks. */
export interface ApiServices {
  readonly charging: Charging;
  readonly forwarding: Forwarding;
  readonly receipts: RunningReceipts;
}

/**
 * Serves the public API on API_PORT until the shutdown. `parts`: what its readiness depends on;
 * `unanswered`: where calls outlive a kill until they are answered; `worker`: where this process is
 * one of several that share the port.
 */
export async function startApi(
  foundations: Foundations,
  services: ApiServices,
  parts: Readonly<Record<string, AskPart>>,
  shutdown: Shutdown,
  unanswered?: UnansweredCalls,
  worker: ApiWorker | null = null,
): Promise<void> {
  const { configuration, logger, rates } = foundations;
  const own = withWarnings(readinessOf(parts, logger), ...foundationWarnings(foundations));
  const app = await createApi({
    ...foundations,
    ...services,
    unanswered,
    refusedCalls: keepRefusedCalls(foundations, shutdown),
    rates: worker?.rates ?? rates,
    callerRates: worker?.rates.callers ?? rates,
    readiness: worker?.primary.readiness(own) ?? own,
  });
  await serve(app, 'API_PORT', configuration.host, configuration.apiPort, shutdown);
}
