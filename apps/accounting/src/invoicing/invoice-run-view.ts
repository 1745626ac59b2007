import { formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { runEndIdOf } from '#ledger/document-ids.js';
import { INVOICE_NUMBERED } from '#ledger/number-events.js';
import {
  INVOICE_RUN_ENDED,
  INVOICE_RUN_STARTED,
  type InvoiceRunEnded,
  type InvoiceRunStarted,
  type RunReach,
} from './invoice-run-events.js';
import type { RunFailure } from './invoicing.js';

/** A run as the system's lane tells of it. */
export interface KnownRun {
  readonly id: string;
  readonly startedAt: number;
  readonly asked: InvoiceRunStarted;
  /** Null: it goes on, or was left by a process that fell. */
  readonly ended: { readonly at: number; readonly data: InvoiceRunEnded } | null;
  /** Invoices numbered since it began, by whoever. */
  readonly documents: number;
}

/** A run as the admin REST shows it. */
export type InvoiceRunView = ReturnType<typeof runView>;

/** `events`: all of the system's, oldest first. */
export function findRun(events: readonly StoredEvent[], id: string): KnownRun | undefined {
  const at = events.findIndex(({ callId, type }) => callId === id && type === INVOICE_RUN_STARTED);
  const started = events[at];
  if (started === undefined) return undefined;
  const endId = runEndIdOf(id);
  const endAt = events.findIndex(({ callId }, index) => index > at && callId === endId);
  const ended = events[endAt];
  const meanwhile = events.slice(at, endAt < 0 ? undefined : endAt);
  return {
    id,
    startedAt: started.at,
    asked: JSON.parse(started.data) as InvoiceRunStarted,
    ended: ended ? { at: ended.at, data: JSON.parse(ended.data) as InvoiceRunEnded } : null,
    documents: meanwhile.filter(({ type }) => type === INVOICE_NUMBERED).length,
  };
}

/** Ids of the runs that nobody has ended. */
export function openRuns(events: readonly StoredEvent[]): readonly string[] {
  const ended = new Set(
    events.flatMap(({ type, callId }) => (type === INVOICE_RUN_ENDED ? [callId] : [])),
  );
  return events.flatMap(({ type, callId }) =>
    type === INVOICE_RUN_STARTED && callId !== null && !ended.has(runEndIdOf(callId))
      ? [callId]
      : [],
  );
}

/** `found`: what differs so far, as the process knows that is at it; null in any other. */
export function runView(run: KnownRun, reach: RunReach, found: readonly RunFailure[] | null) {
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
