import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { WithoutOrigin, SystemChanges } from '#deciding/changes/system-changes.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import {
  closedThrough,
  PERIOD_CLOSED,
  PERIOD_FILES,
  PERIOD_REOPENED,
  PERIODS,
  type Period as Kept,
  type PeriodClosed,
  type PeriodFile,
  type PeriodFiles,
  type PeriodReopened,
} from '#projections/events/period-events.js';
import { documentHash } from '#projections/invoices/documents.js';
import { keepFile, type IssuedBody } from '#projections/invoices/kept-files.js';
import type { Page } from '#projections/views/account-reads.js';
import { pageBy } from '../operation/queries.js';
import { found, problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Exports } from '../exports/exports.js';
import { isStored } from '../exports/zip-pieces.js';
import type { Outcome } from '../operation/operation.js';
import type { Period } from './period.schemas.js';
import { firstMonth, readUnissued } from './unissued.js';

export interface PeriodsParts {
  readonly pool: pg.Pool;
  readonly changes: SystemChanges;
  readonly invoicing: Pick<Invoicing, 'periods' | 'run'>;
  readonly exports: Pick<Exports, 'asOfNow'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** Idempotency keys of changes of periods name one change among these. */
const SCOPE = 'periods';
/** After it, all that was decided in the month's last moments is in the log. */
const SETTLED_MS = 60_000;

/** Closes and reopens accounting periods. */
export class AccountingPeriods {
  constructor(private readonly parts: PeriodsParts) {}

  async list(query: PageQuery): Promise<Page<Period>> {
    const page = pageBy(query);
    const { items, next } = page(await this.parts.invoicing.periods.read());
    return { items: items.map(viewOf), next };
  }

  /** Throws a ProblemException: `conflict` while the month runs, is closed, or lacks an invoice. */
  async close(month: string, change: Change): Promise<Outcome<Period>> {
    const { invoicing } = this.parts;
    const { periods } = invoicing;
    this.refuseRunning(month);
    const { failures } = await invoicing.run(month, null);
    return periods.changing(async () => {
      const before = await periods.read();
      const closed = closedThrough(before);
      const isClosed = closed !== null && closed >= month;
      const data = isClosed ? null : await this.frozen(month, before, failures.length);
      return this.append(month, change, PERIOD_CLOSED, data, `${month} is closed already.`);
    });
  }

  /** Throws a ProblemException: `conflict` where the month is not closed. */
  async reopen(month: string, change: Change): Promise<Outcome<Period>> {
    const { periods } = this.parts.invoicing;
    return periods.changing(async () => {
      const closed = closedThrough(await periods.read());
      const data: WithoutOrigin<PeriodReopened> | null =
        closed === null || closed < month ? null : { month };
      return this.append(
        month,
        change,
        PERIOD_REOPENED,
        data,
        `${month} is not closed: GET /periods lists the months that are.`,
      );
    });
  }

  /** `data`: null where a retry alone has something to be answered. */
  private async append(
    month: string,
    change: Change,
    type: string,
    data: object | null,
    refusal: string,
  ): Promise<Outcome<Period>> {
    const made = this.parts.changes.of(SCOPE, change);
    const { value, replayed } = await made.append(PERIODS, () => {
      if (data === null) throw conflict(refusal);
      return { type, data };
    });
    const period = value.find((one) => one.month === month);
    return { view: viewOf(found(period, 'period')), replayed };
  }

  private refuseRunning(month: string): void {
    const { calendar, clock } = this.parts;
    const ends = found(calendar.monthOf(month), 'month').endsAt + SETTLED_MS;
    if (clock.now() >= ends) return;
    throw conflict(`${month} can be closed from ${formatMoment(ends)} on.`);
  }

  /** All months up to this one that are open, with their files, which are kept. */
  private async frozen(
    month: string,
    before: readonly Kept[],
    failed: number,
  ): Promise<WithoutOrigin<PeriodClosed>> {
    const { pool, exports, calendar } = this.parts;
    // The rows have come to the log as it is now; what is numbered by then is in the files.
    await exports.asOfNow();
    const unissued = failed + (await readUnissued(pool, dayAfter(calendar, month), month));
    if (unissued > 0) {
      throw conflict(
        `${unissued === 1 ? '1 document' : `${unissued} documents`} up to ${month} ${unissued === 1 ? 'is' : 'are'} not issued: see GET /invoices?status=held and ` +
          'POST /invoice-runs.',
      );
    }
    const { ends, file } = await exports.asOfNow();
    const periods: { month: string; files: PeriodFiles }[] = [];
    for (const label of await this.openMonths(month, before)) {
      const files = {} as Record<(typeof PERIOD_FILES)[number], PeriodFile>;
      for (const format of PERIOD_FILES) {
        const issued: IssuedBody[] = [];
        const pieces = file(label, format, ({ name, body }) => {
          if (isStored(name)) issued.push({ sha256: documentHash(body), body });
        });
        files[format] = await keepFile(pool, pieces, issued);
      }
      periods.push({ month: label, files });
    }
    return { month, periods, ends: [...ends] };
  }

  private async openMonths(month: string, before: readonly Kept[]): Promise<readonly string[]> {
    const { pool, calendar } = this.parts;
    const closed = closedThrough(before);
    const oldest = await firstMonth(pool, calendar);
    const months: string[] = [];
    for (let at = found(calendar.monthOf(month), 'month'); ;) {
      if (closed !== null && at.label <= closed) break;
      months.unshift(at.label);
      if (oldest === null || at.label <= oldest) break;
      at = calendar.monthAt(at.startsAt - 1);
    }
    return months;
  }
}

/** The first day after a month. */
function dayAfter(calendar: Calendar, month: string): string {
  const { endsAt } = found(calendar.monthOf(month), 'month');
  return `${calendar.monthAt(endsAt).label}-01`;
}

function conflict(detail: string): ProblemException {
  return new ProblemException(problem('conflict', detail));
}

/** As it is shown; the rows that hold the files are nobody's concern. */
export function viewOf({ month, status, at, by, reason, files }: Kept): Period {
  const shown = ({ sha256, bytes }: PeriodFile) => ({ sha256, bytes });
  const { journal, csv, jsonl, zip } = files;
  const all = { journal: shown(journal), csv: shown(csv), jsonl: shown(jsonl), zip: shown(zip) };
  return { month, status, at: formatMoment(at), by, reason, files: all };
}
