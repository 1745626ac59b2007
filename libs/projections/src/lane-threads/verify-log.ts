import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { isUnreadable } from '#database/errors.js';
import { ALL_LANES, SYSTEM_LANE } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';
import { areWorthwhile, workInThreads, type Threads } from './lane-threads.js';
import {
  checkResults,
  LaneFindings,
  type CheckResult,
  type LaneDifference,
} from '../verify/findings.js';
import type { LaneReport } from '../verify/verify-lane.js';
import { verifyLanes } from '../verify/verify-lanes.js';

export interface VerifyProgress {
  readonly lanes: number;
  readonly lanesTotal: number;
  readonly events: number;
  /** Events in the log when it began. */
  readonly eventsTotal: number;
}

export interface VerifyOptions {
  /** Only these lanes; all unless given. */
  readonly lanes?: readonly number[];
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
  /** For a log that is long: lanes side by side, off the caller's event loop. */
  readonly threads?: Threads;
  /** The key that encrypts the secrets of webhooks: without it their decryption is not checked. */
  readonly webhookSecret?: string | null;
}

export interface VerifyReport {
  /** Whether nothing differs. */
  readonly intact: boolean;
  readonly lanes: number;
  readonly events: number;
  readonly seconds: number;
  readonly checks: readonly CheckResult[];
  /** Sentences about what this log does not allow to look at. */
  readonly notCovered: readonly string[];
}

const NEVER = new AbortController().signal;

/**
 * Proves that log, projections and personal texts belong together, or names what differs. Each lane
 * is looked at in one snapshot of its own, while the service goes on. In memory are the accounts
 * and opened keys of the lanes under way, and the hashes of all API keys. Takes one connection of
 * the pool; threads have their own.
 */
export async function verifyLog(
  pool: pg.Pool,
  projections: readonly Projection[],
  { calendar }: { readonly calendar: Calendar },
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const startedAt = performance.now();
  // A row of the table that is gone must be missed.
  const { lanes: wanted = ALL_LANES, signal = NEVER, threads } = options;
  const { webhookSecret = null } = options;
  const rows = await readEnds(pool, wanted);
  const ends = new Map(rows.map(({ lane, position }) => [lane, position]));
  const endOf = (lane: number): number => ends.get(lane) ?? 0;
  const isLater = (lane: number): number => (lane === SYSTEM_LANE ? 0 : 1);
  const eventsTotal = rows.reduce((sum, { position }) => sum + position, 0);
  const verification = new Verification({ lanesTotal: wanted.length, eventsTotal }, options);
  const { onEvents, onReport } = verification;
  const lanes = wanted.toSorted((a, b) => isLater(a) - isLater(b) || endOf(b) - endOf(a) || a - b);
  if (areWorthwhile(threads, eventsTotal)) {
    const work = {
      job: { job: 'verify', webhookSecret },
      zone: calendar.zone,
      lanes,
      signal,
    } as const;
    await workInThreads(threads, { ...work, onEvents, onReport });
  } else {
    const parts = { pool, projections, calendar, webhookSecret, lanes };
    await verifyLanes({ ...parts, onEvents, onReport });
  }
  return verification.report((performance.now() - startedAt) / 1_000);
}

/** Empty where the database cannot read them: each lane reports that. */
async function readEnds(
  pool: pg.Pool,
  lanes: readonly number[],
): Promise<readonly { readonly lane: number; readonly position: number }[]> {
  try {
    const { rows } = await pool.query<{ lane: number; position: number }>(
      'select lane, position from lane where lane = any ($1)',
      [lanes],
    );
    return rows;
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** Combines the reports of the lanes. */
class Verification {
  private events = 0;
  private readonly reports: LaneReport[] = [];

  constructor(
    private readonly totals: Pick<VerifyProgress, 'lanesTotal' | 'eventsTotal'>,
    private readonly options: VerifyOptions,
  ) {
    this.reportProgress();
  }

  readonly onEvents = (events: number): void => {
    this.options.signal?.throwIfAborted();
    this.events += events;
    this.reportProgress();
  };

  readonly onReport = (report: LaneReport): void => {
    this.reports.push(report);
    this.reportProgress();
  };

  report(seconds: number): VerifyReport {
    const { events } = this;
    const reports = this.reports.toSorted((a, b) => a.lane - b.lane);
    const differences = reports.flatMap((lane) => lane.differences);
    const checks = checkResults([...differences, ...repeatedApiKeys(reports)]);
    const intact = checks.every(({ first }) => first === null);
    const notCovered = [...new Set(reports.flatMap((lane) => lane.notCovered))];
    return { intact, lanes: reports.length, events, seconds, checks, notCovered };
  }

  private reportProgress(): void {
    const { events, totals } = this;
    this.options.onProgress?.({ ...totals, lanes: this.reports.length, events });
  }
}

/** API keys whose hash stands in the log before, in the order of lanes. */
function repeatedApiKeys(reports: readonly LaneReport[]): LaneDifference[] {
  const places = new Map<string, string>();
  return reports.flatMap(({ lane, apiKeys }) => {
    const findings = new LaneFindings(lane);
    for (const { position, hash } of apiKeys) {
      const other = places.get(hash);
      if (other !== undefined) findings.event('api-keys', position, 'a hash of its own', other);
      places.set(hash, `lane ${lane}, position ${position}`);
    }
    return findings.differences();
  });
}
