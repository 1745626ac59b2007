import type { Answer } from './messages.js';

/** One request over one connection: one of these is called, once, unless it is cancelled. */
export interface Exchange {
  onAnswer(answer: Answer): void;
  /** The connection is gone. `sent`: the peer may have read the request. */
  onLost(sent: boolean): void;
  /** The process says that it cannot decide. Whoever takes this up is answered no more. */
  onUnable?(): void;
}

/** A request that is under way. */
export interface Ticket {
  /** Forgets the request. True if it was sent already; if not, it never will be. */
  cancel(): boolean;
}
