import { formatMoment } from '#calendar/instant.js';
import type { RunReach } from './invoice-run-events.js';
import type { RunFailure } from './invoicing.js';
import type { KnownRun } from './known-runs.js';

/** A run as the admin REST shows it. */
export type InvoiceRunView = ReturnType<typeof runView>;

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
