import type pg from 'pg';
import type { JournalAccounts } from '#billing/journal.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import { AUDIT } from '#ledger/projections/audit.projection.js';
import { INVOICES } from '#ledger/projections/invoices.projection.js';
import { LEDGER } from '#ledger/projections/ledger.projection.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import { BooksReader } from './account-books.js';
import { creditLiabilities, type Liability } from './credit-liabilities.js';
import { ExportSource, type ExportScope, type LogEnds } from './export-source.js';
import type { ExportFormat } from './export.schemas.js';
import { journalPieces } from './journal-format.js';
import { csvPieces, jsonlPieces } from './table-formats.js';
import { archivePieces } from './zip-format.js';

export interface ExportParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'ends'>;
  readonly projections: Pick<ProjectionProgress, 'catchUp'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** Documents to export, and how. */
export interface ExportRequest extends ExportScope {
  readonly format: ExportFormat;
  readonly accounts: JournalAccounts;
}

const CATCH_UP_MS = 10_000;
const TRY_AGAIN_SECONDS = 10;

/** Everything that leaves the service for the books, each made while it is sent. */
export class Exports {
  private readonly books: BooksReader;

  constructor(private readonly parts: ExportParts) {
    const { pool, calendar, clock } = parts;
    this.books = new BooksReader(pool, calendar, clock);
  }

  /** Throws a ProblemException: a month to come; rows too far behind the log to be whole. */
  async invoices(request: ExportRequest): Promise<AsyncIterable<string | Uint8Array>> {
    this.refuseMonthToCome(request.by === 'supply' ? 'month' : 'issued_month', request);
    const { pool, calendar } = this.parts;
    const ends = await this.currentEnds([INVOICES, AUDIT, LEDGER]);
    const source = new ExportSource(pool, calendar, ends, request);
    switch (request.format) {
      case 'csv':
        return csvPieces(source);
      case 'jsonl':
        return jsonlPieces(source);
      case 'zip':
        return archivePieces(pool, source);
      case 'journal':
        return journalPieces(pool, this.books, request, calendar);
    }
  }

  /** As `invoices`. `final`: whether the month has ended. */
  async creditLiability(
    scope: Omit<ExportScope, 'by'>,
  ): Promise<{ final: boolean; batches: AsyncIterable<readonly Liability[]> }> {
    const month = this.refuseMonthToCome('month', scope);
    await this.currentEnds([LEDGER]);
    const final = month.endsAt <= this.parts.clock.now();
    return { final, batches: creditLiabilities(this.books, scope, this.parts.calendar) };
  }

  /** Test clocks run ahead: their months have begun when theirs say so. */
  private refuseMonthToCome(name: string, { month, test }: Omit<ExportScope, 'by'>) {
    const { calendar, clock } = this.parts;
    const found = calendar.monthOf(month);
    if (found === undefined) throw new Error(`${month} is the label of no month.`);
    if (!test && found.startsAt > clock.now()) {
      const detail = 'The month has not begun.';
      throw new ProblemException(invalidParameters([{ in: 'query', name, value: month, detail }]));
    }
    return found;
  }

  /** The log as it is now, once these projections hold all of it: an export leaves nothing out. */
  private async currentEnds(projections: readonly string[]): Promise<LogEnds> {
    const ends = new Map(
      (await this.parts.log.ends()).map(({ lane, position }) => [lane, position]),
    );
    for (const projection of projections) {
      if (await this.parts.projections.catchUp(projection, ends, CATCH_UP_MS)) continue;
      const detail = `The rows of ${projection} are behind the log: the export would not be whole.`;
      throw new ProblemException(accountingUnavailable(detail, TRY_AGAIN_SECONDS));
    }
    return ends;
  }
}
