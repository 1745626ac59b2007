import {
  AccountingUnavailableError,
  type QuoteOutcome,
  type QuoteRequest,
} from '#account/charging.js';
import type { Exchange, Ticket } from './exchange.js';
import type { Answer } from './messages.js';
import type { ProcessLink } from './process-link.js';
import type { Route } from './route.js';

export interface QuoteSettled {
  readonly resolve: (outcome: QuoteOutcome) => void;
  readonly reject: (error: Error) => void;
}

const ATTEMPTS_MAX = 3;
export const NOBODY_DECIDES = 'No accounting process can decide now.';

/** One quote on its way. It changes nothing, so asking again is always right. */
export class PendingQuote implements Exchange {
  private attempts = 0;
  private asked: ProcessLink | undefined;
  /** Those that have answered that they cannot. */
  private unable: Set<ProcessLink> | undefined;
  private refusal: AccountingUnavailableError | undefined;
  private ticket: Ticket | undefined;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    private readonly request: QuoteRequest,
    private readonly route: Route,
    timeoutMs: number,
    private readonly settled: QuoteSettled,
  ) {
    this.deadline = setTimeout(() => this.abandon(), timeoutMs);
  }

  attempt(): void {
    const link = this.route(this.request.accountId, this.unable);
    if (link === undefined || this.attempts >= ATTEMPTS_MAX) {
      return this.fail(this.refusal ?? new AccountingUnavailableError(NOBODY_DECIDES));
    }
    this.attempts += 1;
    this.asked = link;
    this.ticket = link.ask({ kind: 'quote', request: this.request }, this);
  }

  onAnswer(answer: Answer): void {
    switch (answer.kind) {
      case 'answer':
        if (answer.outcome.outcome === 'charged') return this.giveUp('A charge answered a quote.');
        clearTimeout(this.deadline);
        this.settled.resolve(answer.outcome);
        return;
      case 'draining':
        return this.attempt();
      case 'unavailable':
        this.refusal = new AccountingUnavailableError(answer.detail, answer.retryAfterSeconds);
        if (this.asked !== undefined) (this.unable ??= new Set()).add(this.asked);
        return this.attempt();
      case 'unknown':
      case 'settled':
      case 'forwarded':
        return this.giveUp('The quote was not answered.');
    }
  }

  onLost(): void {
    this.attempt();
  }

  onUnable(): void {
    const isElsewhere = this.route(this.request.accountId, this.unable) !== undefined;
    if (!isElsewhere || this.attempts >= ATTEMPTS_MAX) return;
    this.ticket?.cancel();
    this.attempt();
  }

  abandon(): void {
    this.ticket?.cancel();
    this.giveUp('The quote was not answered in time.');
  }

  private giveUp(detail: string): void {
    this.fail(new AccountingUnavailableError(detail));
  }

  private fail(error: AccountingUnavailableError): void {
    clearTimeout(this.deadline);
    this.settled.reject(error);
  }
}
