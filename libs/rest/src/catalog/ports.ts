import type { Releases } from '#popularity/releases.js';
import type { PublishedRelease } from '#popularity/release-events.js';

/** The published data, and where the rows of each release are. */
export interface PortalReleases extends Releases {
  published(): readonly PublishedRelease[];
}
