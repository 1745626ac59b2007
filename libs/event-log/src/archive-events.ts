import type { Fold } from './fold.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.
export const CALLS_ARCHIVED = 'CallsArchived';
export const CALLS_BROUGHT_BACK = 'CallsBroughtBack';

/** A file with archived calls of one lane. */
export interface ArchiveFile {
  readonly lane: number;
  /** Relative to the folder of all archives, with a slash. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly calls: number;
  /** Positions of the first and the last one. */
  readonly positions: readonly [first: number, last: number];
}

interface OfSystem {
  readonly by: 'system';
  readonly request: '';
  /** Digest of what was asked: nobody asked over HTTP. */
  readonly input: '';
}

/** Data of `CallsArchived`: written when the files are on the disk, before the log lets go. */
export interface CallsArchived extends OfSystem {
  /** 1, 2, 3, … */
  readonly archive: number;
  /** Calls of the months before this one: `2026-06`. */
  readonly before: string;
  readonly calls: number;
  readonly files: readonly ArchiveFile[];
}

/** Data of `CallsBroughtBack`: all calls of an archive are in the log again. */
export interface CallsBroughtBack extends OfSystem {
  readonly archive: number;
}

export const OF_SYSTEM: OfSystem = { by: 'system', request: '', input: '' };

/** An archive, and whether its calls are in the log again. */
export interface Archive extends Pick<CallsArchived, 'archive' | 'before' | 'calls' | 'files'> {
  readonly isBack: boolean;
}

/** All archives, by number. */
export const ARCHIVES: Fold<readonly Archive[]> = {
  initial: () => [],
  evolve: (archives, { type, data }) => {
    if (type === CALLS_ARCHIVED) {
      const { archive, before, calls, files } = JSON.parse(data) as CallsArchived;
      return [...archives, { archive, before, calls, files, isBack: false }];
    }
    if (type !== CALLS_BROUGHT_BACK) return archives;
    const { archive: back } = JSON.parse(data) as CallsBroughtBack;
    return archives.map((one) => (one.archive === back ? { ...one, isBack: true } : one));
  },
};
