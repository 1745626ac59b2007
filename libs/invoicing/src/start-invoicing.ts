import { availableParallelism } from 'node:os';
import { RenderThreads } from '#invoice-documents/render-threads.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import type { Decider } from '#deciding/submission.js';
import { Invoicing } from './invoicing.js';
import { InvoicingWorker } from './invoicing-worker.js';
import { retentionWorker } from './retention-worker.js';
import { Retention } from './retention.js';
import type { RenderDocuments } from './render-documents.js';

export interface InvoicingNeeds {
  readonly accounting: Decider;
  readonly projections: Pick<ProjectionProgress, 'catchUp'>;
  readonly closeMonths: () => Promise<void>;
}

const CONNECTIONS = 8;
/** A month of a million calls is summed in seconds. */
const TIMEOUT_MS = 60_000;

/** Starts to issue invoices as months are closed; the shutdown stops it. */
export function startInvoicing(
  foundations: Foundations,
  needs: InvoicingNeeds,
  shutdown: Shutdown,
): Invoicing {
  const { configuration, databaseUrl, logger, eventLog, system, calendar, clock, telemetry } =
    foundations;
  const { lostPositions } = foundations;
  const limits = { connections: CONNECTIONS, timeoutMs: TIMEOUT_MS };
  const pool = servicePool(databaseUrl, 'invoicing', limits, logger, shutdown);
  telemetry.watchPool('invoicing', pool);
  // One processor is left to the service.
  const threads = new RenderThreads({ count: Math.max(1, availableParallelism() - 1) });
  shutdown.stop('the threads for documents', () => threads.stop());
  const render = inThreads(threads);
  const common = { pool, render, log: eventLog, system, calendar, clock, logger, lostPositions };
  const invoicing = new Invoicing({ ...common, ...needs });
  const worker = new InvoicingWorker({
    pool,
    invoicing,
    onFault: (error) => logger.error({ err: error }, 'The invoicing has a fault.'),
  });
  worker.start();
  const retention = new Retention({ ...common, years: configuration.retentionYears });
  const terms = retentionWorker(retention, clock, (error) =>
    logger.error({ err: error }, 'Parties of documents beyond their term were not removed.'),
  );
  terms.start();
  shutdown.drain('the invoicing', async () => {
    await Promise.all([worker.stop(), invoicing.runs.stop(), terms.stop()]);
  });
  return invoicing;
}

/** So many documents keep a thread busy for a moment. */
const DOCUMENTS_AT_ONCE = 20;

/** Several threads share a long list. */
function inThreads(threads: RenderThreads): RenderDocuments {
  return async (inputs) => {
    const lists: (typeof inputs)[] = [];
    for (let at = 0; at < inputs.length; at += DOCUMENTS_AT_ONCE) {
      lists.push(inputs.slice(at, at + DOCUMENTS_AT_ONCE));
    }
    return (await Promise.all(lists.map((list) => threads.render(list)))).flat();
  };
}
