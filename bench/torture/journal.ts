import { LostTimes } from './lost-times.js';

/** A broken rule, with what shows it. */
export interface Violation {
  readonly rule: string;
  readonly what: string;
  readonly evidence: string;
  /** Seconds since the start of the run. */
  readonly second: number;
}

/** How one attempt of a call ended, as the client saw it. */
export interface Attempt {
  readonly api: number;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly got: 'answer' | 'close' | 'silence' | 'left';
  readonly status: number;
  readonly code: string;
  readonly callId: string;
  readonly credits: number;
  readonly kind: string;
  /** Null for accounts without a limit. */
  readonly balance: number | null;
  readonly replayed: boolean;
  /** Its API process was killed meanwhile, and its connection had no other fault. */
  readonly died: boolean;
}

/** One call of a customer, however often it was sent. */
export interface Call {
  /** Unique; sent as a tag, so that the log says which call it was. */
  readonly tag: number;
  readonly accountId: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly attempts: Attempt[];
}

/** One change that an operator asked for, under one idempotency key until it was answered. */
export interface Change {
  readonly sequence: number;
  readonly accountId: string;
  readonly what: string;
  /** On the clock of `performance.now()`. */
  readonly begunAt: number;
  /** When it was answered for good; null before. */
  endedAt: number | null;
  /** Id of what was made, as answered; null while it is not answered. */
  acknowledged: string | null;
  /** Refused for good. */
  refused: string | null;
}

const VIOLATIONS_MAX = 200;
const SLOWEST_MAX = 12;

/** All that clients, operator and runner have seen. */
export class Journal {
  readonly startedAt = performance.now();
  readonly calls: Call[] = [];
  readonly changes: Change[] = [];
  readonly violations: Violation[] = [];
  violationsTotal = 0;
  readonly lost = new LostTimes();
  readonly counts = new Map<string, number>();
  /** Worst and number of each thing that is measured, ms. */
  readonly measures = new Map<string, { worst: number; sum: number; times: number }>();

  /** The longest waits for an answer, the longest first. */
  readonly slowest: { readonly ms: number; readonly what: string; readonly second: number }[] = [];

  constructor(private readonly report: (line: string) => void) {}

  get second(): number {
    return Math.round((performance.now() - this.startedAt) / 100) / 10;
  }

  say(line: string): void {
    this.report(`${this.second.toFixed(1).padStart(7)} ${line}`);
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  measure(what: string, ms: number): void {
    const known = this.measures.get(what) ?? { worst: 0, sum: 0, times: 0 };
    known.worst = Math.max(known.worst, ms);
    known.sum += ms;
    known.times += 1;
    this.measures.set(what, known);
  }

  /** An answer, or a close, for which nothing but the service itself made the client wait. */
  answered(ms: number, what: string): void {
    this.measure('answer', ms);
    const { slowest } = this;
    if (slowest.length === SLOWEST_MAX && ms <= (slowest.at(-1)?.ms ?? 0)) return;
    slowest.push({ ms: Math.round(ms), what, second: this.second });
    slowest.sort((one, other) => other.ms - one.ms);
    slowest.splice(SLOWEST_MAX);
  }

  /** Whether what a change did may have been lost with a newer database. */
  mayBeLost({ begunAt, endedAt }: Change): boolean {
    return this.lost.covers(begunAt, endedAt ?? Infinity);
  }

  violation(rule: string, what: string, evidence = ''): void {
    this.violationsTotal += 1;
    if (this.violations.length >= VIOLATIONS_MAX) return;
    this.violations.push({ rule, what, evidence, second: this.second });
    this.say(`VIOLATION ${rule}: ${what}\n${evidence}`);
  }

  newCall(accountId: string, path: string, idempotencyKey: string | null): Call {
    const call = { tag: this.calls.length, accountId, path, idempotencyKey, attempts: [] };
    this.calls.push(call);
    return call;
  }

  newChange(accountId: string, what: string): Change {
    const sequence = this.changes.length;
    const times = { begunAt: performance.now(), endedAt: null };
    const change = { sequence, accountId, what, ...times, acknowledged: null, refused: null };
    this.changes.push(change);
    return change;
  }
}
