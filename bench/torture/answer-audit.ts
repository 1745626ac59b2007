import type { Attempt, Call, Journal } from './journal.js';
import type { LogBook, LoggedCall } from './log-book.js';
import type { Site } from './site.js';

/** A call that is younger than this may still be decided or settled. */
const SETTLED_MS = 75_000;

function isSold({ got, status }: Attempt): boolean {
  return got === 'answer' && (status === 200 || status === 304);
}

/** A call under an idempotency key is given back only when nobody can fetch its answer any more. */
const REPLAYED_MS = 11 * 60_000;

function isUnknown({ status, code }: Attempt): boolean {
  return status === 504 || code === 'outcome-unknown';
}

function describe({ tag, accountId, path, idempotencyKey, attempts }: Call): string {
  const tries = attempts.map(
    ({ api, got, status, code, callId, credits, kind, sentAt, endedAt }) => {
      const times = `${Math.round(sentAt)}–${Math.round(endedAt)} ms`;
      return `  api-${api} ${times} ${got} ${status} ${code} ${callId} ${kind} ${credits}`;
    },
  );
  return [`call ${tag} of ${accountId}, key ${idempotencyKey}: ${path}`, ...tries].join('\n');
}

/** Checks the answers of clients against the log. */
export class AnswerAudit {
  private soldUpTo = 0;

  constructor(
    private readonly book: LogBook,
    private readonly journal: Journal,
    private readonly site: Pick<Site, 'wasKilledAround'>,
  ) {}

  /** How many calls there were when the log was last read: those are all to be found in it. */
  get begun(): number {
    return this.journal.calls.length;
  }

  /**
   * Every answer that was sent before the log was read stands in it as it was answered. `until`:
   * the number of calls that had been begun then; what is under way is looked at the next time.
   */
  checkSold(sentBefore: number): void {
    const open: number[] = [];
    const { calls } = this.journal;
    for (let tag = this.soldUpTo; tag < calls.length; tag += 1) {
      const call = calls[tag];
      if (call === undefined) continue;
      const sold = call.attempts.filter((one) => isSold(one) && one.endedAt < sentBefore);
      for (const attempt of sold) this.checkAnswer(call, attempt);
      const last = call.attempts.at(-1);
      if (last === undefined || last.endedAt > sentBefore - SETTLED_MS) open.push(tag);
    }
    this.soldUpTo = open[0] ?? calls.length;
  }

  /** At the end, when nothing is under way: every charge of the log belongs to an answer. */
  checkCharges(): void {
    for (const logged of this.book.byTag.values()) {
      const call = this.journal.calls[Number(logged.data.tags?.call)];
      if (call === undefined || call.accountId !== logged.accountId) {
        this.fail('every charge has its call', logged, call);
      } else this.checkCharge(logged, call);
    }
  }

  /** Charged calls of unknown fate for their clients, or whose process died. */
  unsettled(): LoggedCall[] {
    return [...this.book.byTag.values()].filter((logged) => {
      const call = this.journal.calls[Number(logged.data.tags?.call)];
      return call !== undefined && this.owesRefund(logged, call);
    });
  }

  private owesRefund(logged: LoggedCall, call: Call): boolean {
    const { attempts } = call;
    const hasLeft = attempts.some(({ got }) => got !== 'answer');
    const isGivenBack = logged.givenBackBy !== null;
    if (attempts.some(isSold) || isGivenBack || logged.replayed) return false;
    return hasLeft ? this.hasDied(call) : attempts.some(isUnknown);
  }

  private checkAnswer(call: Call, attempt: Attempt): void {
    const logged = this.book.byCallId.get(attempt.callId);
    if (this.mayBeLost(attempt) && !this.isAsAnswered(call, attempt, logged)) {
      this.journal.count('answers lost with a newer database');
      return;
    }
    if (logged === undefined) {
      this.journal.violation('every 200 stands in the log', attempt.callId, describe(call));
      return;
    }
    if (this.isAsAnswered(call, attempt, logged)) return;
    this.fail('every 200 stands in the log as it was answered', logged, call);
  }

  private isAsAnswered(call: Call, attempt: Attempt, logged: LoggedCall | undefined): boolean {
    if (logged === undefined) return false;
    const { data } = logged;
    return (
      this.book.byTag.get(call.tag) === logged &&
      data.cost[0] + data.cost[1] === attempt.credits &&
      data.kind === attempt.kind &&
      (attempt.balance === null || data.balance === attempt.balance)
    );
  }

  private mayBeLost({ sentAt, endedAt }: Attempt): boolean {
    return this.journal.lost.covers(sentAt, endedAt);
  }

  /** Whether its process was killed under it, and it should be given back by now. */
  private hasDied({ attempts, idempotencyKey }: Call): boolean {
    const last = attempts.at(-1);
    const owedSince = (last?.endedAt ?? 0) + (idempotencyKey === null ? 0 : REPLAYED_MS);
    const isDue = owedSince < performance.now();
    return isDue && attempts.every(({ got, died }) => got === 'answer' || died);
  }

  private checkCharge(logged: LoggedCall, call: Call): void {
    const { attempts } = call;
    const sold = attempts.filter(isSold);
    const hasLeft = attempts.some(({ got }) => got !== 'answer');
    if (sold.length > 0) {
      if (logged.givenBackBy === 'system') this.judgeGift(logged, call, sold);
      this.journal.count('charges answered');
    } else if (logged.givenBackBy === 'system') this.journal.count('charges given back');
    // Two requests under the key were left without an answer: a third is given it.
    else if (logged.replayed) this.journal.count('charges kept for another retry');
    else if (attempts.some(isUnknown) && !hasLeft)
      this.fail('unknown fates are settled', logged, call);
    else if (hasLeft && this.hasDied(call))
      this.fail('what died with its process is given back', logged, call);
    else if (hasLeft) this.journal.count('charges whose client had gone');
    else this.fail('no charge for an error', logged, call);
  }

  /** A call of which an answer arrived keeps its charge. */
  private judgeGift(logged: LoggedCall, call: Call, sold: readonly Attempt[]): void {
    const kept = sold.filter((one) => !this.mayBeLost(one));
    if (kept.length === 0) return;
    const isOfLastTurn = kept.every(({ api, endedAt }) => this.site.wasKilledAround(api, endedAt));
    if (isOfLastTurn) this.journal.count('charges given back that a killed process had answered');
    else this.fail('what was delivered is not given back', logged, call);
  }

  private fail(rule: string, { lane, position, ...logged }: LoggedCall, call?: Call): void {
    const { callId, givenBackBy, givenBackAt, data } = logged;
    const text = JSON.stringify({ lane, position, callId, givenBackBy, givenBackAt, data });
    const known = call === undefined ? 'no such call' : describe(call);
    this.journal.violation(rule, `${callId} of ${logged.accountId}`, `${text}\n${known}`);
  }
}
