import { asLatest } from '#rating/key-parts.js';
import type { LogRows, Span } from './log-rows.js';

/** A call that the service has charged. */
export interface ChargedCall {
  readonly callId: string;
  /** Ms since 1970. */
  readonly at: number;
  readonly key: string;
  /** Whether the client asked for `latest`. */
  readonly isLatest: boolean;
  /** Whether its key is one of the week in which it was made. */
  readonly isRunning: boolean;
  readonly credits: number;
  /** Null where the log does not record it. */
  readonly requestId: string | null;
}

/** In which a row and its call differ. */
export type DifferentIn = 'credits' | 'url' | 'time';

export type Difference =
  /** The customer has a row, the service no call. */
  | { readonly kind: 'missing_here'; readonly row: number }
  /** The service has charged a call, the customer has no row. */
  | { readonly kind: 'missing_there'; readonly call: ChargedCall }
  | {
      readonly kind: 'different';
      readonly row: number;
      readonly call: ChargedCall;
      readonly in: readonly DifferentIn[];
    };

/** Rows of one path, and of one charge where they say it, in the order of time. */
interface Line {
  readonly rows: readonly number[];
  /** Rows before it are matched, or too early for every call that is still to come. */
  next: number;
}

/**
 * Matches the rows of a log with calls, one to one. A row with a Call-Id is matched with that call
 * alone. Others are matched within the tolerance, in the order of time: first those that say the
 * Request-Id of a call, then rows of its path that say its charge or none, and at the end what is
 * left of its path with another charge. As every call takes the earliest row that it may have, as
 * many as possible are matched. Calls come in the order of time; those that find no row are kept.
 * Outside of the span a row or call only serves to match one that lies in it.
 */
export class Matching {
  private readonly taken: Uint8Array;
  private readonly lines: ReadonlyMap<string, Line>;
  private readonly unmatched: ChargedCall[] = [];
  private matchedCount = 0;

  constructor(
    private readonly rows: LogRows,
    private readonly toleranceMs: number,
    /** The moments that are compared; unless given, from the first to the last row. */
    private readonly span: Span = rows.span,
  ) {
    this.taken = new Uint8Array(rows.length);
    this.lines = linesOf(rows, this.taken, (path, credits) => `${credits ?? ''} ${path}`);
  }

  /** How many calls have no row so far. */
  get left(): number {
    return this.unmatched.length;
  }

  /** Pairs without a difference. */
  get matched(): number {
    return this.matchedCount;
  }

  /** The next call; answers in what it differs from its row, null where it does not or has none. */
  add(call: ChargedCall): Difference | null {
    const named = this.namedRow(call);
    if (named !== undefined) return this.pair(named, call);
    for (const path of pathsOf(call)) {
      for (const charge of [`${call.credits} `, ' ']) {
        const row = this.take(this.lines.get(charge + path), call.at);
        if (row !== undefined) return this.pair(row, call);
      }
    }
    this.unmatched.push(call);
    return null;
  }

  /** Call-Ids of rows that no call has matched so far: such a call may be of another time. */
  namedIds(): Iterable<string> {
    return this.rows.byCall.idsOf((row) => this.taken[row] === 0 && this.holds(this.rows.at(row)));
  }

  /** The differences that show once all calls have come. */
  *rest(): Generator<Difference> {
    const lines = linesOf(this.rows, this.taken, (path) => path);
    for (const call of this.unmatched) {
      const row = this.takeOf(lines, call);
      if (row === undefined) {
        // A row of a call before or after the span may stand in the log before or after.
        if (this.holds(call.at)) yield { kind: 'missing_there', call };
      } else {
        const difference = this.pair(row, call);
        if (difference !== null) yield difference;
      }
    }
    for (const [row, isTaken] of this.taken.entries()) {
      if (isTaken === 0 && this.holds(this.rows.at(row))) yield { kind: 'missing_here', row };
    }
  }

  private holds(at: number): boolean {
    return at >= this.span.from && at < this.span.to;
  }

  private namedRow({ callId, requestId }: ChargedCall): number | undefined {
    const { byCall, byRequest } = this.rows;
    const named = byCall.find(callId);
    if (named !== undefined || requestId === null) return named;
    const asked = byRequest.find(requestId);
    return asked !== undefined && this.taken[asked] === 0 ? asked : undefined;
  }

  private takeOf(lines: ReadonlyMap<string, Line>, call: ChargedCall): number | undefined {
    for (const path of pathsOf(call)) {
      const row = this.take(lines.get(path), call.at);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** The earliest row within the tolerance. */
  private take(line: Line | undefined, at: number): number | undefined {
    if (line === undefined) return undefined;
    for (; line.next < line.rows.length; line.next += 1) {
      const row = line.rows[line.next] ?? 0;
      const ahead = this.rows.at(row) - at;
      if (ahead > this.toleranceMs) return undefined;
      if (ahead < -this.toleranceMs || this.taken[row] !== 0) continue;
      line.next += 1;
      return row;
    }
    return undefined;
  }

  private pair(row: number, call: ChargedCall): Difference | null {
    this.taken[row] = 1;
    const { rows, toleranceMs } = this;
    if (!this.holds(call.at) && !this.holds(rows.at(row))) return null;
    const credits = rows.credits(row);
    const path = rows.path(row);
    const found: DifferentIn[] = [];
    if (credits !== null && credits !== call.credits) found.push('credits');
    if (path !== call.key && path !== asLatest(call.key)) found.push('url');
    if (Math.abs(rows.at(row) - call.at) > toleranceMs) found.push('time');
    if (found.length > 0) return { kind: 'different', row, call, in: found };
    this.matchedCount += 1;
    return null;
  }
}

/** How a log may name what was asked for. */
function pathsOf({ key, isLatest, isRunning }: ChargedCall): readonly string[] {
  if (isLatest) return [asLatest(key), key];
  return isRunning ? [key, asLatest(key)] : [key];
}

function linesOf(
  rows: LogRows,
  taken: Uint8Array,
  nameOf: (path: string, credits: number | null) => string,
): ReadonlyMap<string, Line> {
  const found = new Map<string, number[]>();
  for (let row = 0; row < rows.length; row += 1) {
    if (rows.isNamed(row) || taken[row] !== 0) continue;
    const name = nameOf(rows.path(row), rows.credits(row));
    const line = found.get(name);
    if (line === undefined) found.set(name, [row]);
    else line.push(row);
  }
  const lines = new Map<string, Line>();
  for (const [name, line] of found) {
    line.sort((one, other) => rows.at(one) - rows.at(other) || one - other);
    lines.set(name, { rows: line, next: 0 });
  }
  return lines;
}
