import {
  standingReleases,
  type PublishedRelease,
  type ReleaseCounts,
  type ReleaseDigests,
  type ReleasePublished,
} from './release-events.js';

/** A window of the calendar: instants in ms since 1970, the end exclusive. */
export interface CalendarWindow {
  readonly label: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The part of the calendar that a release needs. */
export interface Windows {
  windowAt(instant: number): CalendarWindow;
  /** Undefined for text that is no window's label. */
  windowOf(label: string): CalendarWindow | undefined;
}

/** A release that is checked and loaded but not published. */
export interface Candidate {
  readonly sha256: string;
  readonly through: string;
  readonly load: number;
  readonly tables: ReleaseDigests;
  readonly counts: ReleaseCounts;
}

export interface ReleaseQuestion {
  /** In the order of publication. */
  readonly published: readonly PublishedRelease[];
  readonly candidate: Candidate;
  /** The label that the operator asked for, or null. */
  readonly requested: string | null;
  /** Ms since 1970. */
  readonly now: number;
  readonly windows: Windows;
}

export type WindowChoice =
  | { readonly outcome: 'chosen'; readonly window: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export type ReleaseDecision =
  | { readonly outcome: 'publish'; readonly data: ReleasePublished }
  /** The newest release was made of the same files. */
  | { readonly outcome: 'unchanged'; readonly release: PublishedRelease }
  | { readonly outcome: 'refused'; readonly reason: string };

/** A release without a requested window begins at least this long after its publication. */
export const NOTICE_MS = 60_000;
/** A window that an operator names may be nearer, but every process must hear of it before. */
export const REQUESTED_NOTICE_MS = 10_000;

/**
 * From which window on a release would serve. The first serves at once; a later one from the next
 * window that begins at least 60 s after now; any from the window asked for, if that has not begun.
 */
export function chooseWindow(
  question: Pick<ReleaseQuestion, 'published' | 'requested' | 'now' | 'windows'>,
): WindowChoice {
  const { published, requested, now, windows } = question;
  if (requested !== null) return requestedWindow(requested, now, windows);
  const running = windows.windowAt(now);
  if (standingReleases(published).length === 0) return { outcome: 'chosen', window: running.label };
  const next = windows.windowAt(running.endsAt);
  const far = next.startsAt - now >= NOTICE_MS ? next : windows.windowAt(next.endsAt);
  return { outcome: 'chosen', window: far.label };
}

function requestedWindow(requested: string, now: number, windows: Windows): WindowChoice {
  const refused = (reason: string): WindowChoice => ({ outcome: 'refused', reason });
  const window = windows.windowOf(requested);
  if (window === undefined) {
    return refused(`${JSON.stringify(requested)} is not the label of a window`);
  }
  if (window.startsAt <= now) return refused(`window ${window.label} has begun already`);
  if (window.startsAt - now < REQUESTED_NOTICE_MS) {
    return refused(`window ${window.label} begins in less than ${REQUESTED_NOTICE_MS / 1000} s`);
  }
  return { outcome: 'chosen', window: window.label };
}

/**
 * Decides what becomes of a candidate, given all that is published. Pure: the writer of the log
 * asks again when another release came between.
 *
 * A load that is older than the newest published one is refused: what such loads left behind is
 * being deleted, and this rule is what makes that safe while several imports run at once.
 */
export function decideRelease(question: ReleaseQuestion): ReleaseDecision {
  const { published, candidate } = question;
  const newest = standingReleases(published).at(-1);
  if (newest?.sha256 === candidate.sha256) return { outcome: 'unchanged', release: newest };
  if (published.some(({ load }) => load >= candidate.load)) {
    return { outcome: 'refused', reason: 'another import was published meanwhile; start again' };
  }
  const choice = chooseWindow(question);
  if (choice.outcome === 'refused') return choice;
  const { counts, load, sha256, tables, through } = candidate;
  const release = `r${published.length + 1}`;
  const data = { release, window: choice.window, through, sha256, load, ...counts, tables };
  return { outcome: 'publish', data };
}
