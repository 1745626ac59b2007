import { problem, ProblemException } from '#web/problem.js';

const VIEWS_MAX = 60;
const MINUTE_MS = 60_000;
/** Accounts that are remembered before those that have stopped looking are forgotten. */
const ACCOUNTS_MAX = 10_000;

/** At most 60 free looks in any minute, by account and process. */
export class ViewLimit {
  private readonly looks = new Map<string, number[]>();

  /** Counts a look at `now` (ms since 1970). Throws a ProblemException (`rate-limited`). */
  take(accountId: string, now: number): void {
    const recent = (this.looks.get(accountId) ?? []).filter((at) => at > now - MINUTE_MS);
    const [first = now] = recent;
    if (recent.length >= VIEWS_MAX) throw tooMany(Math.ceil((first + MINUTE_MS - now) / 1_000));
    this.looks.set(accountId, [...recent, now]);
    if (this.looks.size > ACCOUNTS_MAX) this.forgetIdle(now);
  }

  private forgetIdle(now: number): void {
    for (const [accountId, looks] of this.looks) {
      if ((looks.at(-1) ?? 0) <= now - MINUTE_MS) this.looks.delete(accountId);
    }
  }
}

function tooMany(seconds: number): ProblemException {
  const detail = `Data that is paid can be looked at ${VIEWS_MAX} times a minute.`;
  const headers = { 'retry-after': String(Math.max(1, seconds)) };
  return new ProblemException(problem('rate-limited', detail, {}, headers));
}
