import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { formatMoment } from '#calendar/instant.js';
import type { Page } from '#ledger/account-reads.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import { RELEASES, type PublishedReleases } from './ports.js';

export interface ReleaseView {
  readonly release: string;
  /** Label of the first window that it serves. */
  readonly window: string;
  /** Newest month that it holds. */
  readonly through: string;
  readonly sha256: string;
  readonly published_at: string;
  readonly categories: number;
  readonly brands: number;
  readonly relations: number;
  readonly volumes: number;
}

export class ListReleasesQuery extends Query<Page<ReleaseView>> {
  constructor(
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListReleasesQuery)
export class ListReleasesHandler implements IQueryHandler<ListReleasesQuery> {
  constructor(@Inject(RELEASES) private readonly releases: PublishedReleases) {}

  async execute({ after, limit }: ListReleasesQuery): Promise<Page<ReleaseView>> {
    const first = after === null ? 0 : decodeNumberCursor(after);
    const end = first + limit;
    const all = await this.releases.published();
    const items = all.slice(first, end).map(releaseView);
    return { items, next: end < all.length ? encodeCursor(end) : null };
  }
}

function releaseView(release: PublishedRelease): ReleaseView {
  return {
    release: release.label,
    window: release.window,
    through: release.through,
    sha256: release.sha256,
    published_at: formatMoment(release.publishedAt),
    ...release.counts,
  };
}
