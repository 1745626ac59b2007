import type { Span } from './span.js';

/** A Tuesday week (specification 3 and 8.1). Its label is `2026w47`. */
export type Window = Span;

/** A calendar month. Its label is `2026-11`. */
export type Month = Span;

/** A calendar day. Its label is `2026-11-24`. */
export type Day = Span;
