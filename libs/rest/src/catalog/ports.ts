import type { Releases } from '#popularity/releases.js';
import type { PublishedRelease } from '#popularity/release-events.js';

/** Tokens of what the portal's parts are told of their surroundings. */
export const PORTAL_URL = Symbol('portal url');
export const PORTAL_CONFIGURATION = Symbol('portal configuration');
export const PORTAL_RELEASES = Symbol('portal releases');
export const PRICE_SOURCE = Symbol('price source');

/** The published data, and where the rows of each release are. */
export interface PortalReleases extends Releases {
  published(): readonly PublishedRelease[];
}
