import { formatMoment } from '#calendar/instant.js';
import type { VerifyReport } from '#projections/lane-threads/verify-log.js';
import type { RebuildState, VerificationState } from './log-tools.js';
import type { Rebuild, Verification } from './system.schemas.js';

function momentOrNull(at: number | null): string | null {
  return at === null ? null : formatMoment(at);
}

/** A rebuild as the admin REST shows it. */
export function rebuildView(rebuild: RebuildState): Rebuild {
  const { state, stage, startedAt, endedAt, events, total, error } = rebuild;
  return {
    status: state,
    stage,
    started_at: formatMoment(startedAt),
    ended_at: momentOrNull(endedAt),
    events,
    events_total: total,
    error,
  };
}

/** A verification that has ended with a report, outside of a service. Times in ms since 1970. */
export function endedView(report: VerifyReport, startedAt: number, endedAt: number): Verification {
  const { lanes, events } = report;
  const progress = { lanes, lanesTotal: lanes, events, eventsTotal: events };
  return verificationView({ state: 'done', startedAt, endedAt, progress, report, error: null });
}

/** A verification as the admin REST shows it; null of everything before the first. */
export function verificationView(verification: VerificationState): Verification {
  const { state, startedAt, endedAt, progress, report, error } = verification;
  return {
    status: state,
    started_at: formatMoment(startedAt),
    ended_at: momentOrNull(endedAt),
    lanes: progress.lanes,
    lanes_total: progress.lanesTotal,
    events: progress.events,
    events_total: progress.eventsTotal,
    intact: report?.intact ?? null,
    checks: report?.checks ?? null,
    not_covered: report?.notCovered ?? null,
    error,
  };
}
