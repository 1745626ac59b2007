import { formatMoment } from '#calendar/instant.js';
import type { ImportOutcome } from '#popularity/import-release.js';
import type { PublishedRelease } from '#popularity/release-events.js';

/** A release as `--json` prints it: the same members that the admin REST lists. */
export function releaseView(release: PublishedRelease): Readonly<Record<string, unknown>> {
  return {
    release: release.label,
    window: release.window,
    through: release.through,
    sha256: release.sha256,
    published_at: formatMoment(release.publishedAt),
    ...release.counts,
  };
}

/** The outcome of an import as `--json` prints it; the members depend on `outcome`. */
export function outcomeView(result: ImportOutcome): Readonly<Record<string, unknown>> {
  switch (result.outcome) {
    case 'published':
    case 'unchanged':
      return { ...result, release: releaseView(result.release) };
    case 'checked':
    case 'refused':
    case 'faulty':
      return { ...result };
  }
}
