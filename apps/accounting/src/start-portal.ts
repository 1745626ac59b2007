import type { Foundations } from '#service/foundations.js';
import { serve } from '#service/serve.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from './accounting-service.js';
import { createPortal } from './portal/create-portal.js';
import { PortalSessions } from './portal/sessions/portal-sessions.js';
import { adminDependencies } from './start-admin.js';

/**
 * Serves the customers' portal on PORTAL_PORT until the shutdown; answers what opens links to it.
 * `apiUrl`: where this process reaches the public API.
 */
export async function startPortal(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
  apiUrl: string,
  shutdown: Shutdown,
): Promise<PortalSessions> {
  const { configuration, releases } = foundations;
  const { prices } = service;
  const shared = adminDependencies(foundations, service, adminToken);
  const app = await createPortal({ ...shared, releases, prices, apiUrl });
  await serve(app, 'PORTAL_PORT', configuration.host, configuration.portalPort, shutdown);
  return app.get(PortalSessions);
}
