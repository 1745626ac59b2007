import {
  AccountingUnavailableError,
  type QuoteOutcome,
  type QuoteRequest,
} from '#account/charging.js';
import type { Exchange, Ticket } from './exchange.js';
import type { Answer } from './messages.js';
import type { ProcessLink } from './process-link.js';

export interface QuoteSettled {
  readonly resolve: (outcome: QuoteOutcome) => void;
  readonly reject: (error: Error) => void;
}

const ATTEMPTS_MAX = 3;

/** One quote on its way. It changes nothing, so asking again is always right. */
export class PendingQuote implements Exchange {
  private attempts = 0;
  private ticket: Ticket | undefined;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    private readonly request: QuoteRequest,
    private readonly route: (accountId: string) => ProcessLink | undefined,
    timeoutMs: number,
    private readonly settled: QuoteSettled,
  ) {
    this.deadline = setTimeout(() => this.abandon(), timeoutMs);
  }

  attempt(): void {
    const link = this.route(this.request.accountId);
    if (link === undefined || this.attempts >= ATTEMPTS_MAX) {
      return this.fail('No accounting process is connected.');
    }
    this.attempts += 1;
    this.ticket = link.ask({ kind: 'quote', request: this.request }, this);
  }

  onAnswer(answer: Answer): void {
    switch (answer.kind) {
      case 'answer':
        if (answer.outcome.outcome === 'charged') return this.fail('A charge answered a quote.');
        clearTimeout(this.deadline);
        this.settled.resolve(answer.outcome);
        return;
      case 'draining':
        return this.attempt();
      case 'unavailable':
        return this.fail(answer.detail, answer.retryAfterSeconds);
      case 'unknown':
      case 'settled':
        return this.fail('The quote was not answered.');
    }
  }

  onLost(): void {
    this.attempt();
  }

  abandon(): void {
    this.ticket?.cancel();
    this.fail('The quote was not answered in time.');
  }

  private fail(detail: string, retryAfterSeconds?: number): void {
    clearTimeout(this.deadline);
    this.settled.reject(new AccountingUnavailableError(detail, retryAfterSeconds));
  }
}
