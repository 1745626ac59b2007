import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { Alarm } from '#event-log/alarm.js';
import { NOTHING } from '#event-log/fold.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { runEndIdOf } from '#projections/events/document-ids.js';
import { problem, ProblemException } from '#web/problem.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import { SystemChanges, type WithoutOrigin } from '#deciding/changes/system-changes.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { readReach } from './to-do-reads.js';
import {
  INVOICE_RUN_ENDED,
  INVOICE_RUN_STARTED,
  type InvoiceRunEnded,
  type InvoiceRunStarted,
  type RunReach,
  type PassWatch,
  type RunFailure,
  type RunResult,
} from './invoice-run-events.js';
import { RUNS, type KnownRun } from './known-runs.js';
import { ifLeased } from './lease.js';

/** A run as the admin REST shows it. */
export type InvoiceRunView = ReturnType<typeof runView>;

export interface InvoiceRunsParts {
  /** Lends several connections at once: a run holds one for as long as it goes on. */
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'read' | 'appendOnce'>;
  readonly clock: Clock;
  readonly calendar: Pick<Calendar, 'monthOf'>;
  readonly invoicing: {
    run(month: string, accountId: string | null, watch?: PassWatch): Promise<RunResult>;
  };
  /** How long a request waits for the end, 10 s by default. */
  readonly answerMs?: number;
}

interface UnderWay {
  /** Differences so far; null while another process is at work. */
  failures: readonly RunFailure[] | null;
  readonly ended: Promise<void>;
}

/** Idempotency keys of runs name one among all of them. */
const SCOPE = 'invoice-runs';
const ANSWER_MS = 10_000;
const LEASE_WAIT_MS = 200;
const FAILURES_KEPT = 100;

/**
 * Runs that operators start. The start and the end of a run are events: a run whose process failed
 * is finished by the next one, and any process can report it.
 */
export class InvoiceRuns {
  private readonly changes: SystemChanges;
  private readonly underWay = new Map<string, UnderWay>();
  private stopping = false;

  constructor(private readonly parts: InvoiceRunsParts) {
    this.changes = new SystemChanges(parts.system, parts.clock);
  }

  /**
   * Answers when the run has ended, or after a while as far as it is by then. Throws a
   * ProblemException: `conflict` for a month that has ended for nobody.
   */
  async start(
    change: Change,
    month: string,
    accountId: string | null,
  ): Promise<ChangeResult<InvoiceRunView>> {
    const made = this.changes.of(SCOPE, change);
    const { id } = made;
    const data: WithoutOrigin<InvoiceRunStarted> = { month, account_id: accountId };
    const { replayed } = await made.append(NOTHING, () => ({ type: INVOICE_RUN_STARTED, data }));
    const alarm = new Alarm();
    try {
      await Promise.race([this.goOn(id), alarm.wait(this.parts.answerMs ?? ANSWER_MS)]);
    } finally {
      alarm.ring();
    }
    const view = await this.read(id);
    const { status, accounts, issued, failed } = view;
    if (status === 'ended' && accounts + (issued ?? 0) + (failed ?? 0) === 0) {
      this.refuseRunning(month);
    }
    return { view, replayed };
  }

  /** A month that runs has ended for test accounts alone, by their clocks. */
  private refuseRunning(month: string): void {
    const { calendar, clock } = this.parts;
    const ends = calendar.monthOf(month)?.endsAt ?? 0;
    if (clock.now() >= ends) return;
    const detail =
      `${month} has not ended, also for no test account: it is invoiced from ` +
      `${formatInstant(ends)} on.`;
    throw new ProblemException(problem('conflict', detail));
  }

  /** A run as it is now. Throws a ProblemException. */
  async read(id: string): Promise<InvoiceRunView> {
    const { pool } = this.parts;
    const run = await this.find(id);
    const { month, account_id: accountId } = run.asked;
    const reach = run.ended?.data ?? (await readReach(pool, month, accountId));
    return runView(run, reach, this.underWay.get(id)?.failures ?? null);
  }

  /** Goes on with runs that nobody has ended; answers their ends. */
  async resume(): Promise<readonly Promise<void>[]> {
    return (await this.parts.system.read(RUNS)).open().map((id) => this.goOn(id));
  }

  /** Resolves when the pages under way are issued. What is left is done by the next process. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled([...this.underWay.values()].map(({ ended }) => ended));
  }

  /** Rejects where it fails; it is gone on with later then. */
  private goOn(id: string): Promise<void> {
    const known = this.underWay.get(id);
    if (known !== undefined) return known.ended;
    const ended = this.finish(id).finally(() => this.underWay.delete(id));
    // The caller may have gone; one that has not gets the error.
    ended.catch(() => undefined);
    this.underWay.set(id, { failures: null, ended });
    return ended;
  }

  /** All accounts are gone through by one process at a time: two would do the same work. */
  private async finish(id: string): Promise<void> {
    const { asked, ended } = await this.find(id);
    if (ended !== null) return;
    if (asked.account_id !== null) return this.work(id);
    const alarm = new Alarm();
    while (!this.stopping) {
      const done = await ifLeased(this.parts.pool, 'run', async () => {
        await this.work(id);
        return true;
      });
      if (done === true) return;
      await alarm.wait(LEASE_WAIT_MS);
    }
  }

  private async work(id: string): Promise<void> {
    const { asked, ended } = await this.find(id);
    if (ended !== null) return;
    const failures: RunFailure[] = [];
    const underWay = this.underWay.get(id);
    if (underWay !== undefined) underWay.failures = failures;
    const { month, account_id: accountId } = asked;
    const result = await this.parts.invoicing.run(month, accountId, {
      isOver: () => this.stopping,
      onFailure: (failure) => failures.push(failure),
    });
    if (!this.stopping) await this.end(id, asked, result);
  }

  private async end(id: string, asked: InvoiceRunStarted, result: RunResult): Promise<void> {
    const { pool, system, clock } = this.parts;
    const callId = runEndIdOf(id);
    const reach = await readReach(pool, asked.month, asked.account_id);
    const origin = { by: 'system', request: '', input: callId };
    const failures = result.failures.slice(0, FAILURES_KEPT);
    const data: InvoiceRunEnded = { ...origin, run_id: id, ...reach, ...result, failures };
    await system.appendOnce(callId, NOTHING, () => ({
      type: INVOICE_RUN_ENDED,
      at: clock.now(),
      data,
    }));
  }

  private async find(id: string): Promise<KnownRun> {
    const run = (await this.parts.system.read(RUNS)).get(id);
    if (run !== undefined) return run;
    throw new ProblemException(problem('not-found', 'There is no such run.'));
  }
}

/** `found`: what differs so far, as the process knows that is at it; null in any other. */
function runView(run: KnownRun, reach: RunReach, found: readonly RunFailure[] | null) {
  const { id, startedAt, asked, ended, documents } = run;
  const result = ended?.data;
  return {
    id,
    status: ended === null ? ('running' as const) : ('ended' as const),
    month: asked.month,
    account_id: asked.account_id,
    started_at: formatMoment(startedAt),
    ended_at: ended && formatMoment(ended.at),
    accounts: result?.accounts ?? reach.accounts,
    done: result?.done ?? reach.done,
    documents,
    issued: result?.issued ?? null,
    skipped: result?.skipped ?? null,
    failed: result?.failed ?? found?.length ?? null,
    failures: result?.failures ?? found,
  };
}
