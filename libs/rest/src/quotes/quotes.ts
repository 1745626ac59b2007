import type { Sending } from '../operation/answer.js';
import type { QuoteRequest } from './quote.schemas.js';

/** Prices of calls that are not made. Each process that serves them has its own way to them. */
export abstract class Quotes {
  /** Sends a `Quote`, or its items as CSV. */
  abstract price(asked: QuoteRequest): Sending;
}
