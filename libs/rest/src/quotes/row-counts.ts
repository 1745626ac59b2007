import type { Release, Releases } from '#popularity/releases.js';
import type { Resource } from '#rating/resource.js';
import { type Problem, problem } from '#web/problem.js';

/** The size of an answer: all that a price needs of it. */
export interface Rows {
  /** Rows or points, at least 1. */
  readonly rows: number;
}

export type FoundRows =
  | { readonly outcome: 'found'; readonly answer: Rows }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/** The size of the answer of a key in a release. Throws when the data is out of reach. */
export interface RowCounts {
  find(key: string, release: Release, resource: Resource): Promise<FoundRows>;
}

const KNOWN_MAX = 20_000;

/** Sizes of answers where no answers are kept. They never change within a release. */
export class KnownRowCounts implements RowCounts {
  /** By the release itself: another one may have its label once the log went back. */
  readonly #known = new WeakMap<Release, Map<string, FoundRows>>();

  constructor(private readonly releases: Pick<Releases, 'answer'>) {}

  async find(key: string, release: Release, resource: Resource): Promise<FoundRows> {
    const known = this.#known.get(release) ?? new Map<string, FoundRows>();
    this.#known.set(release, known);
    const found = known.get(key) ?? (await this.#count(release, resource));
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, found);
    return found;
  }

  async #count(release: Release, resource: Resource): Promise<FoundRows> {
    const outcome = await this.releases.answer(release, resource);
    return outcome.outcome === 'found'
      ? { outcome: 'found', answer: { rows: outcome.answer.rows } }
      : { outcome: 'refused', problem: problem(outcome.outcome, outcome.detail) };
  }
}
