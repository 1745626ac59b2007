import type { Resource } from '#rating/resource.js';

/** A published data set. Immutable once it is in the log. */
export interface Release {
  /** `r1`, `r2`, … in the order of publication. */
  readonly label: string;
  /** Label of the first window that it serves. */
  readonly window: string;
  /** Newest month it holds, `YYYY-MM-01`. */
  readonly through: string;
}

/** The data of one resource in one release, finished but for its price. Immutable. */
export interface Answer {
  /** Rows or points, at least 1. */
  readonly rows: number;
  /** The JSON object `data` without its closing brace and without call_cost and data_cost. */
  readonly data: string;
  /** Label of the earliest window whose answer was the same. */
  readonly unchangedSince: string;
}

/**
 * The earliest window whose answer was the same, as answered in a window: test accounts are served
 * the first release in the windows before it too. Both are labels, whose order is that of time.
 */
export function unchangedSinceIn(
  window: string,
  { unchangedSince }: Pick<Answer, 'unchangedSince'>,
): string {
  return window < unchangedSince ? window : unchangedSince;
}

export type AnswerOutcome =
  | { readonly outcome: 'found'; readonly answer: Answer }
  | { readonly outcome: 'unknown-item'; readonly detail: string }
  | { readonly outcome: 'no-data'; readonly detail: string };

/** The port to the published data. Throws an Error when the store is away. */
export interface Releases {
  /** The release that serves a window: the newest one that begins at it or before. */
  serving(window: string): Release | undefined;
  /** The first release, which serves test accounts in the windows before it. */
  first(): Release | undefined;
  byLabel(label: string): Release | undefined;
  answer(release: Release, resource: Resource): Promise<AnswerOutcome>;
  /** Calls `forget` whenever a release was taken back: what was said of later ones may change. */
  onTakenBack(forget: () => void): void;
}
