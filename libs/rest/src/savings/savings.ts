import type { UsageDimension } from '#projections/views/usage-dimension.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { EVERY_CALL, type AccountReads } from '#projections/views/account-reads.js';
import type { UsageView } from '#projections/views/account-reads.js';
import { savingsOf } from './savings-of.js';
import type { Savings } from './savings.schemas.js';

const SUMS_MAX = 100_000;

type Reads = Pick<AccountReads, 'account' | 'usage' | 'calls' | 'call'>;

/** Savings that other ways of calling would have brought in a month. */
export class SavingsReads {
  constructor(
    private readonly reads: Reads,
    private readonly calendar: Calendar,
  ) {}

  /** `month`: its label; absent: the last one that is over. Throws a ProblemException. */
  async of(accountId: string, month?: string): Promise<Savings> {
    const { calendar } = this;
    const { now } = foundAccount(await this.reads.account(accountId));
    const running = calendar.monthAt(Date.parse(now));
    const asked = month === undefined ? undefined : calendar.startOfDate(`${month}-01`);
    const { label, startsAt: from, endsAt: to } = calendar.monthAt(asked ?? running.startsAt - 1);
    const windows = this.windowsOf(from, to);
    const start = windows[0]?.startsAt ?? from;
    const byWindow = await this.sums(accountId, ['window', 'key', 'kind'], from, to);
    const byDay = await this.sums(accountId, ['day', 'key', 'kind'], from, to);
    const called = await this.sums(accountId, ['key'], start, to);
    const releaseOf = new Map<string, string>();
    for (const window of windows) {
      const release = await this.releaseIn(accountId, window);
      if (release !== undefined) releaseOf.set(window.label, release);
    }
    const windowBefore = (one: string): string => {
      const window = calendar.windowOf(one);
      return window === undefined ? '' : calendar.previousWindow(window).label;
    };
    const keys = new Set(called.flatMap(({ key }) => key ?? []));
    const measures = savingsOf({ byWindow, byDay, called: keys, releaseOf, windowBefore });
    return {
      month: label,
      calls: byWindow.reduce((sum, { calls }) => sum + calls, 0),
      credits_used: byWindow.reduce((sum, { credits_used: credits }) => sum + credits, 0),
      measures,
      is_whole: byDay.length < SUMS_MAX && called.length < SUMS_MAX,
    };
  }

  /** The window before a stretch of time, and those that it touches. */
  private windowsOf(from: number, to: number): readonly Window[] {
    let window = this.calendar.previousWindow(this.calendar.windowAt(from));
    const windows: Window[] = [];
    for (; window.startsAt < to; window = this.calendar.nextWindow(window)) windows.push(window);
    return windows;
  }

  private async sums(
    accountId: string,
    by: readonly UsageDimension[],
    from: number,
    to: number,
  ): Promise<readonly UsageView[]> {
    const page = { after: null, limit: SUMS_MAX, asOf: null };
    return foundAccount(await this.reads.usage(accountId, { by, from, to, ...page })).items;
  }

  /** The release of a window's calls: nothing changes it within a window. */
  private async releaseIn(accountId: string, window: Window): Promise<string | undefined> {
    const { startsAt: from, endsAt: to } = window;
    const filter = { ...EVERY_CALL, from, to, limit: 1, kind: 'base' } as const;
    const [call] = foundAccount(await this.reads.calls(accountId, filter)).items;
    if (call === undefined) return undefined;
    const explained = await this.reads.call(accountId, call.call_id);
    // Of the data of a past week the release is another one.
    return explained?.data_window === window.label ? explained.release : undefined;
  }
}
