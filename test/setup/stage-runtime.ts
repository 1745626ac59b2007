import { terms } from '#account/scenario.suite.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { InProcessCharging } from '#deciding/in-process-charging.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';
import { PostgresReleases } from '#popularity/postgres-releases.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { knownCards } from '#projections/reads/known-cards.js';
import { PostgresAccountReads } from '#projections/reads/postgres-account-reads.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { AccountingRuntime } from '../../apps/accounting/src/services.js';
import type { AdminStage } from './admin-stage.js';
import { ADDRESSES, ADMIN_TOKEN, HERE, NO_API } from './stage-settings.js';

const ready = () => ({ ready: true });

/** The running parts of a stage, as services of an accounting process use them. */
export function stageRuntime(stage: AdminStage): AccountingRuntime {
  const { accounting, clock, deliveries, invoicing, liveTerms, log, pool, stream } = stage;
  const { logTools, logger, projections, receipts, signInRecords } = stage;
  const { calendar } = terms;
  const changes = new SystemChanges(stream, clock);
  const loader = new AccountLoader(pool);
  const dashboardUrl = `${ADDRESSES.portalUrl}/dashboard`;
  return {
    accounting,
    adminToken: ADMIN_TOKEN,
    apiUrl: NO_API,
    calendar,
    charging: new InProcessCharging(accounting, loader, clock, liveTerms, log),
    clock,
    configuration: { ...ADDRESSES, ...HERE },
    deliveries,
    eventLog: log,
    invoices: new PostgresInvoiceReads(pool, stream, calendar, clock),
    invoicing,
    loader,
    logTools,
    logger,
    pool,
    prices: liveTerms,
    projections,
    rateCards: new RateCards({ changes, liveTerms, calendar, clock, clockState: ready }),
    rates: new MemoryRateLimits(() => stage.rateClock()),
    readiness: async () => ({ ...ready(), parts: { database: ready() } }),
    reads: new PostgresAccountReads(pool, calendar, clock, knownCards(stream, clock)),
    receipts,
    releases: new PostgresReleases({ pool, stream, dashboardUrl }),
    signInRecords,
    system: stream,
  };
}
