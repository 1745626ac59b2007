import { standingReleases, type PublishedRelease } from './release-events.js';

/**
 * Which release serves which window: each serves from its own window until that of the next. Of
 * two that begin with the same window the one published later serves, and one that was withdrawn
 * serves nothing but the calls that named it before. Immutable.
 */
export class ReleaseSchedule {
  /** One release for each window that begins with one, in the order of windows. */
  readonly #serving: readonly PublishedRelease[];
  readonly #byLabel: ReadonlyMap<string, PublishedRelease>;

  /** `published` is in the order of publication. */
  constructor(readonly published: readonly PublishedRelease[]) {
    const standing = standingReleases(published);
    const byWindow = new Map(standing.map((release) => [release.window, release]));
    // Labels of windows sort as text in the order of time.
    this.#serving = [...byWindow.values()].toSorted((one, other) =>
      one.window < other.window ? -1 : 1,
    );
    this.#byLabel = new Map(published.map((release) => [release.label, release]));
  }

  /** The newest release that begins with this window or before. */
  serving(window: string): PublishedRelease | undefined {
    return this.#serving.findLast((release) => release.window <= window);
  }

  /** The one that is the first to serve. */
  first(): PublishedRelease | undefined {
    return this.#serving[0];
  }

  byLabel(label: string): PublishedRelease | undefined {
    return this.#byLabel.get(label);
  }

  /** The release that serves until this one begins. */
  before(release: Pick<PublishedRelease, 'window'>): PublishedRelease | undefined {
    return this.#serving.findLast(({ window }) => window < release.window);
  }
}
