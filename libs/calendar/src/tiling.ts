import type { Span } from './span.js';

/** How one kind of span is numbered. Days are day numbers, days since 1970-01-01. */
export interface SpanKind {
  /** The first day of the nth span. */
  firstDay(n: number): number;
  /** The span that holds a day. */
  ofDay(day: number): number;
  /** The label of the nth span. */
  label(n: number): string;
}

/** About eleven years of weeks: far more than is ever in use at once, and still small. */
const KEPT_SPANS_MAX = 600;
const DAY_MS = 86_400_000;

/**
 * Spans of one kind that follow each other without gap or overlap, made when they are asked for and
 * kept in a bounded cache. The span asked for last is answered with two comparisons.
 */
export class Tiling {
  private readonly kept = new Map<number, Span>();
  private last: Span = { label: '', startsAt: 0, endsAt: 0 };

  constructor(
    private readonly kind: SpanKind,
    private readonly startOfDay: (day: number) => number,
  ) {}

  /** The span that holds an instant (ms since 1970, years 1000 to 9999, else RangeError). */
  at(instant: number): Span {
    if (instant >= this.last.startsAt && instant < this.last.endsAt) return this.last;
    this.last = this.find(instant);
    return this.last;
  }

  /** The nth span. */
  nth(n: number): Span {
    const kept = this.kept.get(n);
    if (kept !== undefined) return kept;
    const span = {
      label: this.kind.label(n),
      startsAt: this.startOfDay(this.kind.firstDay(n)),
      endsAt: this.startOfDay(this.kind.firstDay(n + 1)),
    };
    if (this.kept.size >= KEPT_SPANS_MAX) this.kept.clear();
    this.kept.set(n, Object.freeze(span));
    return span;
  }

  private find(instant: number): Span {
    const year = new Date(instant).getUTCFullYear();
    if (!(year >= 1000 && year <= 9999)) throw new RangeError(`No calendar holds ${instant} ms.`);
    // The day in UTC is at most one off the local one; a day that a zone left out holds nothing.
    let n = this.kind.ofDay(Math.floor(instant / DAY_MS));
    while (instant < this.nth(n).startsAt) n -= 1;
    while (instant >= this.nth(n).endsAt) n += 1;
    return this.nth(n);
  }
}
