import { Profiles } from '#ledger/profiles.js';
import type { Foundations } from '#service/foundations.js';
import { serve } from '#service/serve.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from './accounting-service.js';
import { createAdmin } from './admin/create-admin.js';

/** Serves the admin REST on ACCOUNTING_PORT until the shutdown. */
export async function startAdmin(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
  shutdown: Shutdown,
): Promise<void> {
  const { configuration, pool, calendar, clock, reads, logger, telemetry } = foundations;
  const app = await createAdmin({
    configuration: { ...configuration, adminToken },
    accounting: service.accounting,
    reads,
    profiles: new Profiles(pool),
    pool,
    system: foundations.system,
    loader: service.loader,
    rateCards: service.rateCards,
    deliveries: service.deliveries,
    calendar,
    clock,
    projections: service.projections,
    logTools: service.logTools,
    readiness: service.readiness,
    log: logger,
    telemetry,
  });
  await serve(app, 'ACCOUNTING_PORT', configuration.host, configuration.accountingPort, shutdown);
}
