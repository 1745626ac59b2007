import type { Foundations } from '#service/foundations.js';
import { serve } from '#service/serve.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from './accounting-service.js';
import { createPortal } from './portal/create-portal.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { Payments } from '#invoicing/payments.js';
import { adminDependencies } from './start-admin.js';

export interface RunningPortal {
  readonly sessions: PortalSessions;
  readonly payments: Payments;
}

/**
 * Serves the customers' portal on PORTAL_PORT until the shutdown; answers what opens links to it,
 * and what records payments. `apiUrl`: where this process reaches the public API.
 */
export async function startPortal(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
  apiUrl: string,
  shutdown: Shutdown,
): Promise<RunningPortal> {
  const { configuration, releases } = foundations;
  const { prices, charging } = service;
  const shared = adminDependencies(foundations, service, adminToken);
  const app = await createPortal({ ...shared, releases, prices, charging, apiUrl });
  await serve(app, 'PORTAL_PORT', configuration.host, configuration.portalPort, shutdown);
  return { sessions: app.get(PortalSessions), payments: app.get(Payments) };
}
