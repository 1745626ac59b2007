import type { Forwarding } from '#charging-link/forwarding.js';
import type { Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from './accounting-service.js';
import { KeyHolderRequests } from './key-holders/key-holder-requests.js';
import { adminDependencies } from './start-admin.js';

/** Answers what API processes forward for holders of API keys, until the shutdown. */
export async function startKeyHolders(
  foundations: Foundations,
  service: AccountingService,
  adminToken: string,
  shutdown: Shutdown,
): Promise<Forwarding> {
  const requests = await KeyHolderRequests.open(
    adminDependencies(foundations, service, adminToken),
  );
  shutdown.stop('what API processes forward', () => requests.close());
  return requests;
}
