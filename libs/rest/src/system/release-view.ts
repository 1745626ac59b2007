import { formatMoment } from '#calendar/instant.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import { ReleaseSchedule } from '#popularity/release-schedule.js';
import type { Release } from './system.schemas.js';

/** A release as it is listed, among all that were published. */
export function releaseView(
  release: PublishedRelease,
  published: readonly PublishedRelease[],
): Release {
  const { withdrawnAt } = release;
  return {
    release: release.label,
    window: release.window,
    through: release.through,
    sha256: release.sha256,
    published_at: formatMoment(release.publishedAt),
    withdrawn_at: withdrawnAt === undefined ? null : formatMoment(withdrawnAt),
    older_than: newerBefore(release, published),
    ...release.counts,
  };
}

/** As of its publication. */
function newerBefore(
  release: PublishedRelease,
  published: readonly PublishedRelease[],
): string | null {
  const earlier = published.slice(0, published.indexOf(release));
  const replaced = new ReleaseSchedule(earlier).serving(release.window);
  return replaced !== undefined && replaced.through > release.through ? replaced.label : null;
}
