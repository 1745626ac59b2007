import type { Fold } from '#event-log/fold.js';
import type { Release } from './releases.js';

/** Rows of a release in one table: their number, and SHA-256 in hex over all of them. */
export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** By the name of the table. */
export type ReleaseDigests = Readonly<Record<string, TableDigest>>;

// These names are the stored format: members may be added, never renamed or removed.

/** Type of the event in the system's stream that publishes a release. */
export const RELEASE_PUBLISHED = 'ReleasePublished';

/** Data of `ReleasePublished`: from then on the release serves windows from `window` on. */
export interface ReleasePublished {
  readonly release: string;
  /** Label of the first window that it serves. */
  readonly window: string;
  /** Newest month it holds, `YYYY-MM-01`. */
  readonly through: string;
  /** SHA-256 in hex of its files. */
  readonly sha256: string;
  /** Rows in the tables that belong to it are marked with this number. */
  readonly load: number;
  readonly categories: number;
  readonly brands: number;
  readonly relations: number;
  readonly volumes: number;
  /** Digests of its rows, by table; absent of a release that was loaded before they were made. */
  readonly tables?: ReleaseDigests;
}

/** Type of the event that takes a release back before its window has begun. */
export const RELEASE_WITHDRAWN = 'ReleaseWithdrawn';

/** Data of `ReleaseWithdrawn`. */
export interface ReleaseWithdrawn {
  readonly release: string;
  /** Label of the first window that it would have served. */
  readonly window: string;
  /** The release that serves that window instead; null: none. */
  readonly serving: string | null;
}

/** Type of the event that says that a window is about to begin without a release of its own. */
export const RELEASE_MISSING = 'ReleaseMissing';

/** Data of `ReleaseMissing`. */
export interface ReleaseMissing {
  /** Label of that window. */
  readonly window: string;
  readonly window_starts_at: string;
  /** The release that will serve it. */
  readonly serving: string;
}

/** A release as the log records it. */
export interface PublishedRelease extends Release {
  readonly sha256: string;
  readonly load: number;
  /** Moment of its publication, ms since 1970. */
  readonly publishedAt: number;
  readonly counts: ReleaseCounts;
  /** Moment at which it was taken back, ms since 1970; absent: it was not. */
  readonly withdrawnAt?: number;
}

export interface ReleaseCounts {
  readonly categories: number;
  readonly brands: number;
  readonly relations: number;
  readonly volumes: number;
}

/**
 * The releases that the system's stream has published, oldest first, with those that were
 * withdrawn; another list after each change.
 */
export const RELEASES: Fold<readonly PublishedRelease[]> = {
  initial: () => [],
  evolve: (releases, { type, at, data }) => {
    if (type === RELEASE_PUBLISHED) {
      return [...releases, publishedRelease(JSON.parse(data) as ReleasePublished, at)];
    }
    if (type !== RELEASE_WITHDRAWN) return releases;
    const { release: label } = JSON.parse(data) as ReleaseWithdrawn;
    return releases.map((release) =>
      release.label === label ? { ...release, withdrawnAt: at } : release,
    );
  },
};

/** Those that were not withdrawn. */
export function standingReleases(published: readonly PublishedRelease[]): PublishedRelease[] {
  return published.filter(({ withdrawnAt }) => withdrawnAt === undefined);
}

/** Converts the event to the release that the program uses. */
export function publishedRelease(data: ReleasePublished, at: number): PublishedRelease {
  const { categories, brands, relations, volumes } = data;
  return {
    label: data.release,
    window: data.window,
    through: data.through,
    sha256: data.sha256,
    load: data.load,
    publishedAt: at,
    counts: { categories, brands, relations, volumes },
  };
}
