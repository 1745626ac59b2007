import { REQUESTED_NOTICE_MS, type Windows } from './decide-release.js';
import type { PublishedRelease, ReleaseWithdrawn } from './release-events.js';
import { ReleaseSchedule } from './release-schedule.js';

export type WithdrawalDecision =
  | { readonly outcome: 'withdraw'; readonly data: ReleaseWithdrawn }
  | { readonly outcome: 'unknown'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export interface WithdrawalQuestion {
  /** In the order of publication. */
  readonly published: readonly PublishedRelease[];
  readonly label: string;
  /** Ms since 1970. */
  readonly now: number;
  readonly windows: Windows;
}

/**
 * Decides whether a release may be taken back: until 10 s before its window begins, so that every
 * process has heard of it by then. Pure: the writer of the log asks again when something else came
 * between.
 */
export function decideWithdrawal(question: WithdrawalQuestion): WithdrawalDecision {
  const { published, label, now, windows } = question;
  const release = published.find((each) => each.label === label);
  if (release === undefined) {
    const known = published.map((each) => each.label).join(', ') || 'none';
    return { outcome: 'unknown', reason: `There is no release ${label}. Releases: ${known}.` };
  }
  if (release.withdrawnAt !== undefined) {
    return { outcome: 'refused', reason: `Release ${label} was withdrawn already.` };
  }
  const { window } = release;
  const startsAt = windows.windowOf(window)?.startsAt ?? 0;
  if (startsAt - now < REQUESTED_NOTICE_MS) {
    const when =
      startsAt <= now ? 'has begun' : `begins in less than ${REQUESTED_NOTICE_MS / 1000} s`;
    const reason = `Window ${window} of release ${label} ${when}, and the data of a window does not change. Import the right files: they serve from the next window on.`;
    return { outcome: 'refused', reason };
  }
  const rest = new ReleaseSchedule(published.filter((each) => each !== release));
  const serving = rest.serving(window)?.label ?? null;
  return { outcome: 'withdraw', data: { release: label, window, serving } };
}
