import type { Origin } from '#account/terms.js';
import type { Fold } from '#event-log/fold.js';

// Events of the system's lane about accounting periods: their names and members are for ever, as in
// `#account/events.js`.

export const PERIOD_CLOSED = 'PeriodClosed';
export const PERIOD_REOPENED = 'PeriodReopened';

/** A file of a period: SHA-256 of its bytes, hex. */
export interface PeriodFile {
  readonly sha256: string;
  readonly bytes: number;
  /**
   * SHA-256, hex, of the list of the rows of `document` that hold it. Absent, in older closes: the
   * journal is one row; other files are made again.
   */
  readonly parts?: string;
}

export const PERIOD_FILES = ['journal', 'csv', 'jsonl', 'zip'] as const;
export type PeriodFiles = Readonly<Record<(typeof PERIOD_FILES)[number], PeriodFile>>;

/** A month is closed, and all that were open before it. */
export interface PeriodClosed extends Origin {
  readonly month: string;
  /** Each month that is closed by it, oldest first. Rows of `document` hold the files. */
  readonly periods: readonly { readonly month: string; readonly files: PeriodFiles }[];
  /** Ends of the lanes up to which the exports are made. */
  readonly ends: readonly (readonly [lane: number, position: number])[];
}

/** A month may be changed again, and all after it. */
export interface PeriodReopened extends Origin {
  readonly month: string;
}

/** A month that was closed, whatever became of it. */
export interface Period {
  readonly month: string;
  readonly status: 'closed' | 'reopened';
  /** When, by whom and why it was closed or reopened. Ms since 1970. */
  readonly at: number;
  readonly by: string;
  readonly reason: string | null;
  /** As of the newest close. */
  readonly files: PeriodFiles;
  readonly ends: PeriodClosed['ends'];
}

/** Months that were closed, oldest first. */
export const PERIODS: Fold<readonly Period[]> = {
  initial: () => [],
  evolve: (periods, { type, at, data }) => {
    if (type === PERIOD_CLOSED) {
      const { by, reason = null, ends, periods: closed } = JSON.parse(data) as PeriodClosed;
      const made = closed.map(
        (one) => ({ ...one, status: 'closed', at, by, reason, ends }) as const,
      );
      const others = periods.filter((one) => closed.every(({ month }) => month !== one.month));
      return [...others, ...made].toSorted((one, other) => (one.month < other.month ? -1 : 1));
    }
    if (type !== PERIOD_REOPENED) return periods;
    const { month, by, reason = null } = JSON.parse(data) as PeriodReopened;
    return periods.map((one) =>
      one.month < month || one.status !== 'closed'
        ? one
        : { ...one, status: 'reopened', at, by, reason },
    );
  },
};

/** The newest closed month: nothing may be dated in it or before. Null: all are open. */
export function closedThrough(periods: readonly Period[]): string | null {
  return periods.findLast(({ status }) => status === 'closed')?.month ?? null;
}

/** A closed month with its files; undefined: it is open, or nothing was booked in it. */
export function closedPeriod(periods: readonly Period[], month: string): Period | undefined {
  return periods.find((one) => one.month === month && one.status === 'closed');
}
