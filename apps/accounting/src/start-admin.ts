import { fileURLToPath } from 'node:url';
import { Profiles } from '#projections/texts/profiles.js';
import type { Foundations } from '#service/foundations.js';
import { serve } from '#service/serve.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from './accounting-service.js';
import type { AdminDependencies } from './admin/admin-dependencies.js';
import { createAdmin } from './admin/create-admin.js';

/** Where the build of the front end stands beside the build of the service. */
const WEB_FOLDER = fileURLToPath(new URL('../../../portal', import.meta.url));

/** Serves the admin REST on ACCOUNTING_PORT until the shutdown. */
export async function startAdmin(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
  shutdown: Shutdown,
): Promise<void> {
  const { configuration } = foundations;
  const app = await createAdmin(adminDependencies(foundations, service, adminToken));
  await serve(app, 'ACCOUNTING_PORT', configuration.host, configuration.accountingPort, shutdown);
}

/** Dependencies of the admin REST in a running process. */
export function adminDependencies(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
): AdminDependencies & { readonly webFolder: string } {
  const { configuration, pool, calendar, clock, reads, logger, telemetry } = foundations;
  return {
    configuration: { ...configuration, adminToken },
    accounting: service.accounting,
    reads,
    invoices: foundations.invoices,
    invoicing: service.invoicing,
    receipts: service.receipts,
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
    rates: foundations.rates,
    signInRecords: service.signInRecords,
    readiness: service.readiness,
    log: logger,
    telemetry,
    webFolder: WEB_FOLDER,
  };
}
