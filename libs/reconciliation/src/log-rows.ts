import { UuidRows } from './uuid-rows.js';

/** A row of a customer's own log. */
export interface LogRow {
  /** Of the file, from 1. */
  readonly line: number;
  /** Ms since 1970. */
  readonly at: number;
  /** Place of its path among those of the log (`LogRows.placeOf`). */
  readonly path: number;
  readonly callId: string | null;
  readonly requestId: string | null;
  /** The charge of the call, as it says. */
  readonly credits: number | null;
}

/** Moments in ms since 1970: `to` is the first one behind them. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NO_CREDITS = -1;

/** The rows of a log, kept in about 40 bytes each; paths are kept once. */
export class LogRows {
  private readonly paths: string[] = [];
  readonly byCall = new UuidRows();
  readonly byRequest = new UuidRows();
  private readonly lines: number[] = [];
  private readonly moments: number[] = [];
  private readonly pathOf: number[] = [];
  private readonly charges: number[] = [];
  private readonly known = new Map<string, number>();
  private readonly named: number[] = [];
  private first = Infinity;
  private last = -Infinity;

  get length(): number {
    return this.lines.length;
  }

  /** From the earliest row to behind the latest one; without rows from Infinity to -Infinity. */
  get span(): Span {
    return { from: this.first, to: this.last + 1 };
  }

  add({ line, at, path, callId, requestId, credits }: LogRow): void {
    const row = this.lines.length;
    this.lines.push(line);
    this.moments.push(at);
    this.pathOf.push(path);
    this.charges.push(credits ?? NO_CREDITS);
    this.first = Math.min(this.first, at);
    this.last = Math.max(this.last, at);
    // A second row with the same id is matched with nothing: a call has one row.
    this.named.push(callId === null ? 0 : 1);
    if (callId !== null) this.byCall.add(callId, row);
    else if (requestId !== null) this.byRequest.add(requestId, row);
  }

  /** Of the path of a resource: its key, or with `latest` in place of the week's label. */
  placeOf(path: string): number {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    const own = ownText(path);
    const place = this.paths.push(own) - 1;
    this.known.set(own, place);
    return place;
  }

  line(row: number): number {
    return this.lines[row] ?? 0;
  }

  at(row: number): number {
    return this.moments[row] ?? 0;
  }

  path(row: number): string {
    return this.paths[this.pathOf[row] ?? 0] ?? '';
  }

  credits(row: number): number | null {
    const credits = this.charges[row] ?? NO_CREDITS;
    return credits === NO_CREDITS ? null : credits;
  }

  /** Whether it says its Call-Id, by which alone it is matched. */
  isNamed(row: number): boolean {
    return this.named[row] === 1;
  }
}

/** A copy: what is cut out of a piece of a file would keep all of that piece. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
