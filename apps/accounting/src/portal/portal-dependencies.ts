import type { AdminDependencies } from '../admin/admin-dependencies.js';
import type { Charging } from '#account/charging.js';
import type { PriceSource } from '#deciding/current-terms.js';
import type { PortalReleases } from '#rest/catalog/ports.js';

/** Dependencies of the portal: the accounting side, the published data, and the public API. */
export interface PortalDependencies extends Omit<AdminDependencies, 'releases'> {
  readonly releases: PortalReleases;
  readonly prices: PriceSource;
  readonly charging: Pick<Charging, 'quote'>;
  /** Where this process reaches the public API, without a slash at its end. */
  readonly apiUrl: string;
  /** Folder of the built front end; it may be missing. */
  readonly webFolder: string;
}
