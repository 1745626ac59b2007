import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import { clockFault, fixOf, jumpSince, presentAt, CLOCK_TOLERANCE_MS } from './clock-offset.js';
import type { ClockFix, ClockSample } from './clock-offset.js';

export interface DatabaseClockOptions {
  /** The database's time, ms since 1970: `clockTimestamp(pool)`. */
  readonly askDatabase: () => Promise<number>;
  /** Called when a measurement failed; the last offset stays. */
  readonly onFault: (error: unknown) => void;
  readonly intervalMs?: number;
  readonly samples?: number;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** Ms since 1970, of this process. */
  readonly wallClock?: () => number;
  /** Milliseconds that never run backwards. */
  readonly monotonicClock?: () => number;
}

/** Asks a PostgreSQL for `clock_timestamp()`. */
export function clockTimestamp(pool: Pick<pg.Pool, 'query'>): () => Promise<number> {
  return async () => {
    const { rows } = await pool.query<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    );
    const [row] = rows;
    if (row === undefined) throw new Error('The database did not return the time.');
    return row.now;
  };
}

/**
 * This process's clock, corrected by its measured offset to the database's. The offset is measured
 * at the start and every few seconds, and at once when the clock has jumped; while the database is
 * away the last one stays.
 */
export class DatabaseClock implements Clock {
  private fix: ClockFix | undefined;
  private measuring: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly wall: () => number;
  private readonly monotonic: () => number;

  constructor(private readonly options: DatabaseClockOptions) {
    this.wall = options.wallClock ?? Date.now;
    this.monotonic = options.monotonicClock ?? (() => performance.now());
  }

  /** Resolves after the first measurement, whether it succeeded or not: `ready` says which. */
  async start(): Promise<void> {
    this.timer ??= setInterval(() => void this.measure(), this.options.intervalMs ?? 5_000).unref();
    await this.measure();
  }

  /** Measures no more. */
  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Milliseconds since 1970, whole; the wall clock's until something has been measured. */
  now(): number {
    const { fix } = this;
    return fix === undefined
      ? Math.floor(this.wall())
      : presentAt(fix, this.wall(), this.monotonic());
  }

  /** Not ready: never measured, more than 2 s off the database, or jumped by more than 2 s. */
  ready(): { readonly ready: boolean; readonly detail?: string } {
    const { fix } = this;
    const wall = this.wall();
    const monotonic = this.monotonic();
    const detail = clockFault(fix, wall, monotonic);
    if (detail === undefined) return { ready: true };
    const jumped =
      fix !== undefined && Math.abs(jumpSince(fix, wall, monotonic)) > CLOCK_TOLERANCE_MS;
    if (jumped && this.timer !== undefined) void this.measure();
    return { ready: false, detail };
  }

  /** Measures once; a measurement that is under way already is waited for. Never throws. */
  measure(): Promise<void> {
    this.measuring ??= this.takeSamples().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private async takeSamples(): Promise<void> {
    const samples: ClockSample[] = [];
    try {
      for (let count = 0; count < (this.options.samples ?? 5); count++) {
        samples.push(await this.sample());
      }
    } catch (error) {
      this.options.onFault(error);
    }
    this.fix = fixOf(samples) ?? this.fix;
  }

  private async sample(): Promise<ClockSample> {
    const wallBefore = this.wall();
    const monotonicBefore = this.monotonic();
    const database = await this.answerInTime();
    const monotonicAfter = this.monotonic();
    return { wallBefore, wallAfter: this.wall(), monotonicBefore, monotonicAfter, database };
  }

  private async answerInTime(): Promise<number> {
    const timeoutMs = this.options.timeoutMs ?? 5_000;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`The database did not return the time within ${timeoutMs} ms.`);
      timer = setTimeout(() => reject(error), timeoutMs);
    });
    try {
      return await Promise.race([this.options.askDatabase(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
