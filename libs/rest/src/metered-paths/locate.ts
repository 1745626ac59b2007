import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import type { Release, Releases } from '#popularity/releases.js';
import { resourceKey } from '#rating/resource-key.js';
import type { Resource } from '#rating/resource.js';
import { type Problem, problem } from '#web/problem.js';
import type { MeteredPath } from './metered-path.js';

/** Where a request leads: the key that is charged, and the release that answers it. */
export interface LocatedKey {
  readonly key: string;
  /** Of the window that the key names. */
  readonly label: string;
  readonly release: Release;
  /** Of the key's answer in that release. */
  readonly answerName: string;
  /** The account's running window. */
  readonly running: Window;
  /** Whether the key names an earlier window than the running one. */
  readonly past: boolean;
}

export type LocateOutcome =
  | { readonly outcome: 'located'; readonly located: LocatedKey }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/** The releases that an account has pinned, by the label of the window. */
export type Pins = ReadonlyMap<string, Release>;

/**
 * The basis of a lookup: the window of the call, and the releases that the account is pinned to.
 */
export interface Position {
  readonly running: Window;
  readonly pins: Pins;
}

export const NO_PINS: Pins = new Map();

/** Finds windows and releases of requests. */
export class Locator {
  /** Where resources led to last: most are asked for again in the same window. */
  readonly #known = new WeakMap<Resource, LocatedKey>();

  constructor(
    readonly calendar: Calendar,
    private readonly releases: Releases,
  ) {}

  /**
   * `running`: the account's running window. `test`: of a test account, which the first release
   * serves in the windows before it too.
   */
  locate(path: MeteredPath, running: Window, test: boolean, pins: Pins): LocateOutcome {
    const label = path.window === 'latest' ? running.label : path.window;
    // Labels hold year and week in fixed width: their order as texts is their order in time.
    if (label > running.label) return unknownWindow(notBegun(label, running.label));
    const serving = this.releases.serving(label) ?? (test ? this.releases.first() : undefined);
    const release = pins.get(label) ?? serving;
    if (release === undefined) {
      return unknownWindow(noRelease(label, this.releases.first()));
    }
    const known = this.#known.get(path.resource);
    const isSame = known?.label === label && known.release === release && known.running === running;
    const located = isSame ? known : this.#find(path.resource, label, release, running);
    return { outcome: 'located', located };
  }

  release(label: string): Release | undefined {
    return this.releases.byLabel(label);
  }

  #find(resource: Resource, label: string, release: Release, running: Window): LocatedKey {
    const key = resourceKey(resource, label);
    const name = answerName(key, release);
    const past = label < running.label;
    const located = { key, label, release, answerName: name, running, past };
    this.#known.set(resource, located);
    return located;
  }
}

function unknownWindow(detail: string): LocateOutcome {
  return { outcome: 'refused', problem: problem('unknown-window', detail) };
}

/** The detail of a refusal of a window that is still to come. */
export function notBegun(window: string, running: string): string {
  return `The window ${window} has not begun; the running one is ${running}.`;
}

/** The detail of a refusal of a window that no release serves. */
export function noRelease(window: string, first: Release | undefined): string {
  const why =
    first === undefined ? 'no release was imported yet' : `it begins with ${first.window}`;
  return `There is no data for ${window}: ${why}.`;
}

/** Name of an answer. To be made once for many calls: it takes longer than to find the answer. */
export function answerName(key: string, release: Release): string {
  return `${release.label} ${key}`;
}

/** The item of a charge or a quote, of a request, where it leads, and the rows of its answer. */
export function chargedPart(
  path: MeteredPath,
  { key, release, running }: LocatedKey,
  rows: { readonly rows: number },
) {
  return {
    key,
    resource: path.resource,
    rows: rows.rows,
    window: running.label,
    release: release.label,
  };
}
