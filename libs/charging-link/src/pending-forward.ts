import { AccountingUnavailableError } from '#account/charging.js';
import type { Exchange, Ticket } from './exchange.js';
import type { ForwardedAnswer, ForwardedRequest } from './forwarding.js';
import type { Answer } from './messages.js';
import { NOBODY_DECIDES } from './pending-quote.js';
import type { ProcessLink } from './process-link.js';
import type { Route } from './route.js';

export interface ForwardSettled {
  readonly resolve: (answer: ForwardedAnswer) => void;
  readonly reject: (error: Error) => void;
}

const UNKNOWN =
  'It is not known whether this was done. Send it again, under the same Idempotency-Key.';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * One forwarded request on its way. A change that a process may have read is sent to no other one.
 */
export class PendingForward implements Exchange {
  private asked: ProcessLink | undefined;
  /** Those that cannot take it. */
  private readonly unable = new Set<ProcessLink>();
  private refusal: AccountingUnavailableError | undefined;
  private ticket: Ticket | undefined;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    private readonly request: ForwardedRequest,
    private readonly route: Route,
    timeoutMs: number,
    private readonly settled: ForwardSettled,
  ) {
    this.deadline = setTimeout(() => this.abandon(), timeoutMs);
  }

  attempt(): void {
    const link = this.next();
    if (link === undefined) {
      return this.fail(this.refusal ?? new AccountingUnavailableError(NOBODY_DECIDES));
    }
    this.asked = link;
    this.ticket = link.ask({ kind: 'forward', request: this.request }, this);
  }

  onAnswer(answer: Answer): void {
    switch (answer.kind) {
      case 'forwarded':
        clearTimeout(this.deadline);
        this.settled.resolve(answer.answer);
        return;
      case 'draining':
        return this.askAnother();
      case 'unavailable':
        this.refusal = new AccountingUnavailableError(answer.detail, answer.retryAfterSeconds);
        return this.askAnother();
      case 'answer':
      case 'unknown':
      case 'settled':
        return this.fail(new AccountingUnavailableError(UNKNOWN));
    }
  }

  onLost(sent: boolean): void {
    if (!sent) this.attempt();
    else if (this.isRead) this.askAnother();
    else this.fail(new AccountingUnavailableError(UNKNOWN));
  }

  onUnable(): void {
    if (!this.isRead) return;
    if (this.asked !== undefined) this.unable.add(this.asked);
    if (this.next() === undefined) return;
    this.ticket?.cancel();
    this.attempt();
  }

  abandon(): void {
    this.ticket?.cancel();
    this.fail(new AccountingUnavailableError(UNKNOWN));
  }

  /** Changes nothing, so that it can be asked again. */
  private get isRead(): boolean {
    return READS.has(this.request.method);
  }

  private next(): ProcessLink | undefined {
    const { accountId } = this.request;
    let link = this.route(accountId, this.unable);
    while (link !== undefined && !link.forwards) {
      this.unable.add(link);
      link = this.route(accountId, this.unable);
    }
    return link;
  }

  private askAnother(): void {
    if (this.asked !== undefined) this.unable.add(this.asked);
    this.attempt();
  }

  private fail(error: AccountingUnavailableError): void {
    clearTimeout(this.deadline);
    this.settled.reject(error);
  }
}
