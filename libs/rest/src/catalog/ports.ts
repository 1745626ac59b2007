import type { Releases } from '#popularity/releases.js';
import type { PublishedRelease } from '#popularity/release-events.js';

/** Tokens of the published data, and of what it costs. */
export const PORTAL_RELEASES = Symbol('portal releases');
export const PRICE_SOURCE = Symbol('price source');

/** The published data, and where the rows of each release are. */
export interface PortalReleases extends Releases {
  published(): readonly PublishedRelease[];
}
