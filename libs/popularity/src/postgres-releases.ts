import type pg from 'pg';
import { latestPath } from '#rating/resource-key.js';
import type { Resource } from '#rating/resource.js';
import type { ReleaseStream } from './import-release.js';
import { ReleaseAnswers, type AnswerText } from './release-answers.js';
import { RELEASES, type PublishedRelease } from './release-events.js';
import { ReleaseQueries } from './release-queries.js';
import { ReleaseSchedule } from './release-schedule.js';
import type { AnswerOutcome, Release, Releases } from './releases.js';
import { UnchangedSince } from './unchanged-since.js';

export interface PostgresReleasesOptions {
  readonly pool: pg.Pool;
  readonly stream: Pick<ReleaseStream, 'read'>;
  /** Public address of the dashboards, DASHBOARD_URL, without a slash at its end. */
  readonly dashboardUrl: string;
  /** How often the log is looked at for new releases, 500 ms by default. */
  readonly pollMs?: number;
  /** Called when the log could not be read; the next look comes all the same. */
  readonly onError?: (error: unknown) => void;
}

const POLL_MS = 500;

/**
 * The published data, from the log and the tables. `refresh` before the first use; `start` keeps
 * up with what other processes import, until `stop`.
 */
export class PostgresReleases implements Releases {
  #schedule = new ReleaseSchedule([]);
  #timer: NodeJS.Timeout | undefined;
  #stopped = true;
  readonly #onTakenBack: (() => void)[] = [];
  readonly #answers: ReleaseAnswers;
  readonly #underWay = new Map<string, Promise<AnswerText>>();
  readonly #unchangedSince = new UnchangedSince((release, resource) =>
    this.#text(release, resource),
  );

  constructor(private readonly options: PostgresReleasesOptions) {
    this.#answers = new ReleaseAnswers(new ReleaseQueries(options.pool), options.dashboardUrl);
  }

  /** Reads what the log has published until now. Throws when it is away. */
  async refresh(): Promise<void> {
    const published = await this.options.stream.read(RELEASES);
    const known = this.#schedule.published;
    if (published === known) return;
    const isTakenBack = !known.every((release, at) => published[at] === release);
    this.#schedule = new ReleaseSchedule(published);
    if (!isTakenBack) return;
    this.#unchangedSince.forget();
    for (const forget of this.#onTakenBack) forget();
  }

  /** A release is taken back by a withdrawal, or by a log that went back. */
  onTakenBack(forget: () => void): void {
    this.#onTakenBack.push(forget);
  }

  start(): void {
    this.#stopped = false;
    this.#plan();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** All releases in the order of their publication. */
  published(): readonly PublishedRelease[] {
    return this.#schedule.published;
  }

  serving(window: string): Release | undefined {
    return this.#schedule.serving(window);
  }

  first(): Release | undefined {
    return this.#schedule.first();
  }

  byLabel(label: string): Release | undefined {
    return this.#schedule.byLabel(label);
  }

  async answer(release: Release, resource: Resource): Promise<AnswerOutcome> {
    const known = this.#schedule.byLabel(release.label);
    if (known === undefined) throw new Error(`There is no release ${release.label}.`);
    const text = await this.#text(known, resource);
    if (text.outcome !== 'found') return text;
    const { rows, data } = text;
    const since = await this.#unchangedSince.of(this.#schedule, known, resource, data);
    return { outcome: 'found', answer: { rows, data, unchangedSince: since } };
  }

  /** Callers that ask for the same at once share one look at the tables. */
  #text(release: PublishedRelease, resource: Resource): Promise<AnswerText> {
    const key = `${release.load} ${latestPath(resource)}`;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const text = this.#answers
      .text(release.load, resource)
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, text);
    return text;
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch((error: unknown) => this.options.onError?.(error))
        .finally(() => this.#plan());
    }, this.options.pollMs ?? POLL_MS);
    this.#timer.unref();
  }
}
