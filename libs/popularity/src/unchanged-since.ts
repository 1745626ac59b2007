import { latestPath } from '#rating/resource-key.js';
import type { Resource } from '#rating/resource.js';
import type { AnswerText } from './release-answers.js';
import type { PublishedRelease } from './release-events.js';
import type { ReleaseSchedule } from './release-schedule.js';

const REMEMBERED_MAX = 20_000;

/**
 * Finds the earliest window from which on an answer has been the same: goes back through the
 * releases that served before for as long as their answers are equal. What it finds is kept, so
 * that a new release costs one step more, not the whole way.
 */
export class UnchangedSince {
  readonly #known = new Map<string, string>();

  constructor(
    private readonly textOf: (release: PublishedRelease, resource: Resource) => Promise<AnswerText>,
  ) {}

  /** Label of that window. `data` is the answer of `release`. */
  async of(
    schedule: ReleaseSchedule,
    release: PublishedRelease,
    resource: Resource,
    data: string,
  ): Promise<string> {
    const name = latestPath(resource);
    let earliest = release;
    let since = this.#known.get(`${release.label} ${name}`);
    while (since === undefined) {
      const before = schedule.before(earliest);
      const text = before && (await this.textOf(before, resource));
      if (before === undefined || text?.outcome !== 'found' || text.data !== data) {
        since = earliest.window;
      } else {
        since = this.#known.get(`${before.label} ${name}`);
        earliest = before;
      }
    }
    this.#remember(`${release.label} ${name}`, since);
    return since;
  }

  /** For when releases were taken back: what was found may be about one that is another now. */
  forget(): void {
    this.#known.clear();
  }

  #remember(key: string, since: string): void {
    this.#known.delete(key);
    this.#known.set(key, since);
    if (this.#known.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
