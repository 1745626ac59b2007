import type { Answer } from './messages.js';

/** One request over one connection: it is answered or lost, once, unless it is cancelled. */
export interface Exchange {
  onAnswer(answer: Answer): void;
  /** The connection is gone. `sent`: the peer may have read the request. */
  onLost(sent: boolean): void;
  /**
   * The process says that it cannot decide; called again whenever another one can. It may still
   * answer: what asks another process passes over the answers that it does not need.
   */
  onUnable?(): void;
}

/** A request that is under way. */
export interface Ticket {
  /** Forgets the request. True if it was sent already; if not, it never will be. */
  cancel(): boolean;
  /** The same, but what becomes of a request that was sent is reported to `heir`. */
  passTo(heir: Exchange): boolean;
}
