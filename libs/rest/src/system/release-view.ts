import { formatMoment } from '#calendar/instant.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import type { Release } from './system.schemas.js';

/** A release as it is listed. */
export function releaseView(release: PublishedRelease): Release {
  return {
    release: release.label,
    window: release.window,
    through: release.through,
    sha256: release.sha256,
    published_at: formatMoment(release.publishedAt),
    ...release.counts,
  };
}
