import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import {
  chooseWindow,
  decideRelease,
  type Candidate,
  type ReleaseDecision,
  type Windows,
} from './decide-release.js';
import { droppedItems, type DroppedItems } from './dropped-items.js';
import type { Fault } from './fault.js';
import { deleteLoads, loadRelease, loadsBefore, type LoadedRelease } from './load-release.js';
import { readRelease, type ReleaseContent } from './read-release.js';
import {
  publishedRelease,
  RELEASE_PUBLISHED,
  RELEASES,
  type PublishedRelease,
  type ReleaseCounts,
  type ReleasePublished,
} from './release-events.js';
import { ReleaseSchedule } from './release-schedule.js';

/** The part of the system's stream that an import needs. */
export type ReleaseStream = Pick<SystemStream, 'read' | 'append'>;

export interface ImportDependencies {
  readonly pool: pg.Pool;
  readonly stream: ReleaseStream;
  readonly windows: Windows;
  readonly clock: Clock;
}

export interface ImportProgress {
  readonly stage: 'checking' | 'loading' | 'publishing';
  /** The file being checked or the table being loaded. */
  readonly file: string;
  /** Rows of that file so far; 0 after the check. */
  readonly rows: number;
  /** Bytes of all files checked so far, and in all. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ImportOptions {
  /** Label of the window to begin with; by itself the import chooses one. */
  readonly window?: string | null;
  /** Check only. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** A release that an import replaces although it holds newer months. */
export interface NewerRelease {
  readonly release: string;
  /** Its newest month, `YYYY-MM-01`. */
  readonly through: string;
}

export type ImportOutcome = (
  | {
      readonly outcome: 'published';
      readonly release: PublishedRelease;
      readonly dropped: DroppedItems | null;
      readonly olderThan: NewerRelease | null;
    }
  /** The newest release was made of the same files: nothing was changed. */
  | { readonly outcome: 'unchanged'; readonly release: PublishedRelease }
  /** A dry run found nothing wrong; `window` is where it would begin now. */
  | {
      readonly outcome: 'checked';
      readonly window: string;
      readonly counts: ReleaseCounts;
      readonly dropped: DroppedItems | null;
      readonly olderThan: NewerRelease | null;
    }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'faulty'; readonly faults: readonly Fault[]; readonly total: number }
) & {
  /** Rows of volumes that were read. */
  readonly rows: number;
  readonly seconds: number;
};

type OmitEach<Each, Members extends string> = Each extends unknown ? Omit<Each, Members> : never;
type UntimedOutcome = OmitEach<ImportOutcome, 'rows' | 'seconds'>;
/** Before it is said how it compares to those before. */
type LoadedOutcome = OmitEach<UntimedOutcome, 'dropped' | 'olderThan'>;

/**
 * Takes a directory of CSV files as a new release, all or nothing: checks all of it, loads it in
 * one transaction, then publishes it with one event. What a crash leaves between the two is
 * invisible, and deleted by the next import that publishes. Throws when files, database or log
 * are away; then an import of the same files may be started again at any time.
 */
export async function importRelease(
  dependencies: ImportDependencies,
  directory: string,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const startedAt = performance.now();
  const { outcome, rows } = await takeRelease(dependencies, directory, options);
  return { ...outcome, rows, seconds: (performance.now() - startedAt) / 1000 };
}

async function takeRelease(
  dependencies: ImportDependencies,
  directory: string,
  options: ImportOptions,
): Promise<{ readonly outcome: UntimedOutcome; readonly rows: number }> {
  const requested = options.window ?? null;
  const { stream, windows, clock } = dependencies;
  const published = await stream.read(RELEASES);
  const choice = chooseWindow({ published, requested, windows, now: clock.now() });
  if (choice.outcome === 'refused') return { outcome: choice, rows: 0 };
  const read = await readRelease(directory, (progress) =>
    options.onProgress?.({ stage: 'checking', ...progress }),
  );
  if (read.outcome === 'faulty') return { outcome: read, rows: 0 };
  const { content } = read;
  const { label } = windows.windowAt(clock.now());
  const schedule = new ReleaseSchedule(published);
  const running = schedule.serving(label);
  const dropped = await droppedItems(dependencies.pool, running, content);
  const outcome =
    (await preview(dependencies, content, options)) ??
    (await loadAndPublish(dependencies, content, options));
  const rows = content.volumes;
  if (outcome.outcome !== 'published' && outcome.outcome !== 'checked') return { outcome, rows };
  const { window } = outcome.outcome === 'published' ? outcome.release : outcome;
  const olderThan = newerRelease(schedule.serving(window), content.through);
  return { outcome: { ...outcome, dropped, olderThan }, rows };
}

/** The release that is replaced, if it holds newer months. */
function newerRelease(
  replaced: PublishedRelease | undefined,
  through: string,
): NewerRelease | null {
  if (replaced === undefined || replaced.through <= through) return null;
  return { release: replaced.label, through: replaced.through };
}

/** The outcome where nothing has to be written: known files, a refusal, or a dry run. */
async function preview(
  { stream, windows, clock }: ImportDependencies,
  content: ReleaseContent,
  { window, dryRun }: ImportOptions,
): Promise<LoadedOutcome | null> {
  const decision = decideRelease({
    published: await stream.read(RELEASES),
    candidate: candidateOf(content, { load: Number.MAX_SAFE_INTEGER, tables: {} }),
    requested: window ?? null,
    now: clock.now(),
    windows,
  });
  if (decision.outcome !== 'publish') return decision;
  if (dryRun !== true) return null;
  return { outcome: 'checked', window: decision.data.window, counts: countsOf(content) };
}

async function loadAndPublish(
  dependencies: ImportDependencies,
  content: ReleaseContent,
  options: ImportOptions,
): Promise<LoadedOutcome> {
  const { pool } = dependencies;
  const report = (stage: 'loading' | 'publishing', file: string): void =>
    options.onProgress?.({ stage, file, rows: 0, bytes: 0, totalBytes: 0 });
  const loaded = await loadRelease(pool, content, (table) => report('loading', table));
  report('publishing', 'log');
  const outcome = await publish(dependencies, candidateOf(content, loaded), options.window ?? null);
  if (outcome.outcome === 'published') await cleanUp(dependencies, loaded.load);
  else await deleteLoads(pool, [loaded.load]);
  return outcome;
}

/** Appends the event; decides again whenever the log has moved. */
async function publish(
  { stream, windows, clock }: ImportDependencies,
  candidate: Candidate,
  requested: string | null,
): Promise<LoadedOutcome & { readonly outcome: 'published' | 'unchanged' | 'refused' }> {
  // The event is found again by this id when the connection is lost in the commit.
  const callId = randomUUID();
  let decision: ReleaseDecision | undefined;
  const event = await stream.append(RELEASES, (published) => {
    const now = clock.now();
    decision = decideRelease({ published, candidate, requested, now, windows });
    if (decision.outcome !== 'publish') return null;
    return { callId, type: RELEASE_PUBLISHED, at: now, data: decision.data };
  });
  if (event !== null) {
    const release = publishedRelease(JSON.parse(event.data) as ReleasePublished, event.at);
    return { outcome: 'published', release };
  }
  if (decision === undefined || decision.outcome === 'publish') {
    throw new Error('The log took the release but does not hold it.');
  }
  return decision;
}

/** Deletes what earlier imports loaded and never published; none of them can be any more. */
async function cleanUp({ pool, stream }: ImportDependencies, load: number): Promise<void> {
  const published = new Set((await stream.read(RELEASES)).map((each) => each.load));
  const earlier = await loadsBefore(pool, load);
  await deleteLoads(
    pool,
    earlier.filter((each) => !published.has(each)),
  );
}

function candidateOf(content: ReleaseContent, { load, tables }: LoadedRelease): Candidate {
  const { sha256, through } = content;
  return { sha256, through, load, tables, counts: countsOf(content) };
}

function countsOf({ categories, brands, relations, volumes }: ReleaseContent): ReleaseCounts {
  return {
    categories: categories.size,
    brands: brands.size,
    relations: relations.length,
    volumes,
  };
}
