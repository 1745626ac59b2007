import {
  AccountingUnavailableError,
  type ChargeOutcome,
  type ChargeRequest,
  OutcomeUnknownError,
  type QuoteOutcome,
} from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import { growingWaitMs } from '#event-log/alarm.js';
import type { Exchange, Ticket } from './exchange.js';
import type { Answer, UnsettledCall } from './messages.js';
import { NOBODY_DECIDES } from './pending-quote.js';
import type { ProcessLink } from './process-link.js';
import type { Route } from './route.js';
import type { UnsettledCalls } from './unsettled-calls.js';

export interface PendingChargeParts {
  readonly route: Route;
  readonly now: () => number;
  readonly unsettled: UnsettledCalls;
  /** How long after `notAfter` the answer to a request in time may still arrive. */
  readonly graceMs: number;
}

export interface ChargeCallbacks {
  readonly resolve: (outcome: ChargeOutcome) => void;
  readonly reject: (error: Error) => void;
}

const RETRY_FIRST_MS = 20;
const RETRY_MOST_MS = 500;
/** Longer than a request retries after `window-moved`. */
const ASKED_AGAIN_MS = 30_000;

/**
 * One charge on its way, over as many connections as it takes. Its id makes it one call: whichever
 * process is asked again finds the first decision. What matters is `uncertain`: as long as no
 * attempt can have been read by a process that did not answer it, "unavailable" is the truth.
 */
export class PendingCharge implements Exchange {
  /** An attempt was read, perhaps, and nobody will report what became of it. */
  private lost = false;
  /** Attempts that wait at processes which have become unable meanwhile. */
  private stuck = 0;
  private isOver = false;
  private losses = 0;
  private waits = 0;
  private asked: ProcessLink | undefined;
  /** Those that have answered that they cannot decide it, and did not. */
  private unable: Set<ProcessLink> | undefined;
  private refusal: AccountingUnavailableError | undefined;
  private ticket: Ticket | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    private readonly request: ChargeRequest,
    private readonly parts: PendingChargeParts,
    private readonly settled: ChargeCallbacks,
  ) {
    const leftMs = request.notAfter - parts.now();
    this.deadline = setTimeout(() => this.expire(), Math.max(0, leftMs) + parts.graceMs);
  }

  private get uncertain(): boolean {
    return this.lost || this.stuck > 0;
  }

  /** Asks a process, or says at once that there is none. */
  attempt(): void {
    const { request, parts, uncertain } = this;
    this.ticket = undefined;
    if (parts.now() > request.notAfter) {
      // Nobody would charge it any more; only an earlier attempt may still be heard of.
      const refusal = this.refusal ?? new AccountingUnavailableError('It is too late to ask.');
      if (!uncertain) this.fail(refusal);
      return;
    }
    const link = parts.route(request.accountId, this.unable);
    if (link === undefined) {
      this.unable = undefined;
      if (uncertain) this.retryLater();
      else this.fail(this.refusal ?? new AccountingUnavailableError(NOBODY_DECIDES));
      return;
    }
    this.asked = link;
    const isRetry = request.isRetry || uncertain;
    this.ticket = link.ask({ kind: 'charge', request, isRetry }, this);
  }

  onAnswer(answer: Answer): void {
    switch (answer.kind) {
      case 'answer':
        return this.conclude(answer.outcome);
      case 'draining':
        return this.attempt();
      case 'unavailable':
        this.refusal = new AccountingUnavailableError(answer.detail, answer.retryAfterSeconds);
        if (this.asked !== undefined) (this.unable ??= new Set()).add(this.asked);
        // Not charged by this one: another may, and each is asked once.
        return this.uncertain ? this.retryLater() : this.attempt();
      case 'unknown':
      case 'settled':
      case 'forwarded':
        return this.giveUp();
    }
  }

  onLost(sent: boolean): void {
    this.lost ||= sent;
    this.losses += 1;
    // The first loss is answered at once; a request that keeps losing its connection waits.
    if (this.losses > 1 && this.uncertain) this.retryLater();
    else this.attempt();
  }

  /**
   * Asks another process that can decide, if there is one. What the unable one still answers is
   * heard: that it did not charge the call makes "unavailable" the truth again.
   */
  onUnable(): void {
    const { request, parts } = this;
    if (parts.now() > request.notAfter) return;
    if (parts.route(request.accountId, this.unable) === undefined) return;
    const isStuck = this.ticket?.passTo({
      onAnswer: (answer) => this.hearStuck(answer),
      onLost: () => this.hearStuck(undefined),
    });
    if (isStuck === true) this.stuck += 1;
    this.attempt();
  }

  /** `answer`: of a process that had become unable; undefined: it will answer no more. */
  private hearStuck(answer: Answer | undefined): void {
    this.stuck -= 1;
    if (this.isOver) return;
    if (answer?.kind === 'answer' && answer.outcome.outcome === 'charged') {
      this.ticket?.cancel();
      return this.conclude(answer.outcome);
    }
    this.lost ||= answer === undefined || answer.kind === 'unknown';
    if (this.uncertain || this.ticket !== undefined) return;
    // All that were asked have answered that they did not charge it.
    clearTimeout(this.retry);
    this.attempt();
  }

  /** Ends it because this process stops. */
  abandon(): void {
    this.expire();
  }

  private retryLater(): void {
    this.ticket = undefined;
    this.waits += 1;
    const waitMs = growingWaitMs(this.waits, RETRY_FIRST_MS, RETRY_MOST_MS);
    this.retry = setTimeout(() => this.attempt(), waitMs);
  }

  private conclude(outcome: ChargeOutcome | QuoteOutcome): void {
    if (outcome.outcome === 'quoted') return this.giveUp();
    if (outcome.outcome === 'charged') this.parts.unsettled.forget(this.call);
    this.stopTimers();
    if (outcome.outcome === 'charged' || !this.uncertain || !mayStillStand(outcome.refusal)) {
      return this.settled.resolve(outcome);
    }
    const dueAt = this.request.notAfter + (isAskedAgain(outcome.refusal) ? ASKED_AGAIN_MS : 0);
    void this.parts.unsettled.add(this.call, dueAt).then(() => this.settled.resolve(outcome));
  }

  private expire(): void {
    const sent = this.ticket?.cancel() === true;
    if (sent || this.uncertain) return this.giveUp();
    this.fail(new AccountingUnavailableError('The request could not be sent in time.'));
  }

  private giveUp(): void {
    this.stopTimers();
    const error = new OutcomeUnknownError(this.request.callId);
    // The caller gets the error once the call will be settled, even if this process dies.
    const kept = this.parts.unsettled.add(this.call, this.request.notAfter);
    void kept.then(() => this.fail(error));
  }

  private get call(): UnsettledCall {
    const { accountId, callId, requestId } = this.request;
    return { accountId, callId, requestId };
  }

  private fail(error: Error): void {
    this.stopTimers();
    this.settled.reject(error);
  }

  private stopTimers(): void {
    this.isOver = true;
    clearTimeout(this.deadline);
    clearTimeout(this.retry);
  }
}

/**
 * A refusal does not take an earlier attempt back: what a process that fell silent has read, it may
 * still charge. Only one that found the call of another path under the id says that it cannot; a
 * used key may have been used by that very attempt, on a test clock that was moved on since.
 */
function mayStillStand({ reason }: Refusal): boolean {
  return reason !== 'idempotency-conflict';
}

/** True if the same HTTP request retries, in the window or release that the refusal names. */
function isAskedAgain({ reason }: Refusal): boolean {
  return reason === 'window-moved' || reason === 'release-moved';
}
