import { DEFAULT_ACCOUNTS, type JournalAccounts } from '#invoice-rules/ledger-accounts.js';
import type pg from 'pg';
import type { Seller } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { ScheduleMonth } from '#invoice-rules/revenue-schedule.js';
import { closedPeriod, PERIODS, type Period } from '#projections/events/period-events.js';
import { readDocument } from '#projections/invoices/documents.js';
import { openKept } from '#projections/invoices/kept-files.js';
import { readSeller } from '#projections/invoices/seller-row.js';
import { AUDIT } from '#projections/projections/audit.projection.js';
import { INVOICES } from '#projections/projections/invoices.projection.js';
import { LEDGER } from '#projections/projections/ledger.projection.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import { BooksReader } from './account-books.js';
import { creditLiabilities, type Liability } from './credit-liabilities.js';
import { refuseDamaged } from './damaged-books.js';
import type { FocusExport, FocusScope, FocusType } from './focus-export.js';
import { ExportSource, type Export, type ExportScope, type LogEnds } from './export-source.js';
import type { ExportFormat } from './export.schemas.js';
import { monthsBetween, revenueSchedule } from './revenue-schedules.js';
import { datevPieces } from './datev-format.js';
import { journalEntries, journalPieces, withAccounts } from './journal-format.js';
import { openItems } from './open-items.js';
import type { OpenItems } from './open-items.schemas.js';
import { csvPieces, jsonlPieces } from './table-formats.js';
import { wholeRows } from './whole-rows.js';
import { archivePieces, documentEntries, type OnEntry } from './zip-format.js';
import type { ZipEntry } from './zip-pieces.js';

export interface ExportParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'ends'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly projections: Pick<ProjectionProgress, 'catchUp'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly focus: Pick<FocusExport, 'pieces'>;
}

/** Documents to export, and how. */
export interface ExportRequest extends ExportScope {
  readonly format: ExportFormat;
  /** Codes that the request gives; the others are the seller's. */
  readonly accounts: Partial<JournalAccounts>;
}

/** Projections from which documents, payments and books are read. */
const OF_DOCUMENTS = [INVOICES, AUDIT, LEDGER];

/** Everything that leaves the service for the books, each made while it is sent. */
export class Exports {
  private readonly books: BooksReader;

  constructor(private readonly parts: ExportParts) {
    const { pool, calendar, clock } = parts;
    this.books = new BooksReader(pool, calendar, clock);
  }

  /**
   * Throws a ProblemException: a month to come; rows too far behind the log to be whole; damaged
   * accounts. `isKept`: it is the bytes that a close has kept.
   */
  async invoices(
    request: ExportRequest,
  ): Promise<Export<AsyncIterable<string | Uint8Array>> & { readonly isKept: boolean }> {
    this.refuseMonthToCome(request.by === 'supply' ? 'month' : 'issued_month', request);
    const closed = await this.closed(request);
    const ends = new Map(closed?.ends ?? (await this.currentEnds(OF_DOCUMENTS, request.test)));
    const kept = closed === undefined ? null : await this.kept(closed, request);
    const content = kept ?? this.pieces(request, ends, await this.seller());
    return { ends, content, isKept: kept !== null };
  }

  /** As `invoices`: costs and usage of a month of supply. */
  async focus(scope: FocusScope, type: FocusType): Promise<Export<AsyncIterable<string>>> {
    this.refuseMonthToCome('month', scope);
    const ends = await this.currentEnds([INVOICES, LEDGER], scope.test);
    return { ends, content: this.parts.focus.pieces(scope, type, ends) };
  }

  /** Issued bytes of a month's documents without test accounts, with their manifest. */
  async documents(issuedMonth: string): Promise<AsyncIterable<ZipEntry>> {
    const { pool, calendar } = this.parts;
    const request = { by: 'issue', month: issuedMonth, test: false } as const;
    const closed = await this.closed({ ...request, format: 'zip', accounts: {} });
    const ends = closed?.ends ?? (await this.currentEnds(OF_DOCUMENTS, false));
    return documentEntries(pool, new ExportSource(pool, calendar, new Map(ends), request));
  }

  /** Files by posting date without test accounts, of the log up to its present ends. */
  async asOfNow(): Promise<{
    readonly ends: LogEnds;
    readonly file: (
      month: string,
      format: ExportFormat,
      onEntry: OnEntry,
    ) => AsyncIterable<string | Uint8Array>;
  }> {
    const ends = await this.currentEnds(OF_DOCUMENTS, false);
    const seller = await this.seller();
    const request = { by: 'issue', test: false, accounts: {} } as const;
    return {
      ends,
      file: (month, format, onEntry) =>
        this.pieces({ ...request, month, format }, ends, seller, onEntry),
    };
  }

  /** The closed period that an export is of; those of test accounts are never closed. */
  private async closed({ by, month, test, format }: ExportRequest): Promise<Period | undefined> {
    const isOfBooks = format === 'journal' || format === 'datev';
    if (test || (by === 'supply' && !isOfBooks)) return undefined;
    return closedPeriod(await this.parts.system.read(PERIODS), month);
  }

  /**
   * The file of a closed period; null where it is to be made again: closes of older versions kept
   * journals alone, and the others end with the legal term.
   */
  private async kept(
    { files }: Period,
    { format, accounts }: ExportRequest,
  ): Promise<AsyncIterable<string | Uint8Array> | null> {
    const { pool } = this.parts;
    if (format === 'datev') return null;
    const { sha256, parts } = files[format];
    const kept = parts === undefined ? null : await openKept(pool, parts);
    if (format !== 'journal') return kept;
    // Older closes kept their journal as one row, for ever.
    const journal = parts === undefined ? wholeRow(pool, sha256) : kept;
    if (journal === null || Object.keys(accounts).length === 0) return journal;
    return charted(journal, accounts);
  }

  private pieces(
    request: ExportRequest,
    ends: LogEnds,
    seller: Partial<Seller>,
    onEntry: OnEntry = () => undefined,
  ): AsyncIterable<string | Uint8Array> {
    const { pool, calendar, clock } = this.parts;
    const accounts = { ...DEFAULT_ACCOUNTS, ...seller.ledger_accounts, ...request.accounts };
    const entries = () => journalEntries(pool, this.books, request, calendar);
    const source = new ExportSource(pool, calendar, ends, request);
    switch (request.format) {
      case 'csv':
        return csvPieces(source);
      case 'jsonl':
        return jsonlPieces(source);
      case 'zip':
        return archivePieces(pool, source, onEntry);
      case 'journal':
        return journalPieces(entries(), accounts);
      case 'datev':
        return datevPieces(entries(), { ...request, accounts, seller, now: clock.now() });
    }
  }

  /** As `invoices`. `final`: whether the month has ended. */
  async creditLiability(
    scope: Omit<ExportScope, 'by'>,
  ): Promise<Export<AsyncIterable<readonly Liability[]>> & { readonly final: boolean }> {
    const month = this.refuseMonthToCome('month', scope);
    const ends = await this.currentEnds([LEDGER], scope.test);
    const final = month.endsAt <= this.parts.clock.now();
    return { ends, final, content: creditLiabilities(this.books, scope, this.parts.calendar) };
  }

  /**
   * Deferred and recognised revenue of purchased credits in each month, with the breakage that the
   * seller expects.
   */
  async revenueSchedule(scope: {
    readonly from: string;
    readonly to: string;
    readonly test: boolean;
  }): Promise<Export<{ breakage_percent: number; items: readonly ScheduleMonth[] }>> {
    const { calendar, clock } = this.parts;
    const { from, to, test } = scope;
    this.refuseMonthToCome('to', { month: to, test });
    const ends = await this.currentEnds([LEDGER], test);
    const months = monthsBetween(from, to);
    const schedule = await revenueSchedule(this.books, { months, test }, calendar);
    const { breakage_percent: percent = 0 } = await this.seller();
    const isFinal = (month: string) => (calendar.monthOf(month)?.endsAt ?? 0) <= clock.now();
    const items = schedule.months(percent, isFinal);
    return { ends, content: { breakage_percent: percent, items } };
  }

  /** Throws a ProblemException: a day to come, or what `invoices` refuses. */
  async openItems(scope: {
    readonly date: string | undefined;
    readonly test: boolean;
  }): Promise<Export<OpenItems>> {
    const { pool, calendar, clock } = this.parts;
    const today = calendar.dayAt(clock.now()).label;
    const { date = today, test } = scope;
    if (!test && date > today) {
      const detail = `A day up to today, ${today}.`;
      throw new ProblemException(
        invalidParameters([{ in: 'query', name: 'date', value: date, detail }]),
      );
    }
    const ends = await this.currentEnds([LEDGER], test);
    return { ends, content: await openItems(pool, this.books, { date, test }) };
  }

  private seller(): Promise<Partial<Seller>> {
    return readSeller(this.parts.pool, this.parts.system);
  }

  /** Test clocks run ahead: their months have begun when theirs say so. */
  private refuseMonthToCome(name: string, { month, test }: Omit<ExportScope, 'by'>) {
    const { calendar, clock } = this.parts;
    const found = calendar.monthOf(month);
    if (found === undefined) throw new Error(`${month} is the label of no month.`);
    if (!test && found.startsAt > clock.now()) {
      const detail = `${month} has not begun.`;
      throw new ProblemException(invalidParameters([{ in: 'query', name, value: month, detail }]));
    }
    return found;
  }

  /** Nothing is left out: neither what rows do not hold yet, nor accounts that are damaged. */
  private async currentEnds(projections: readonly string[], test: boolean): Promise<LogEnds> {
    const ends = await wholeRows(this.parts, projections);
    await refuseDamaged(this.parts.pool, projections, test);
    return ends;
  }
}

async function* wholeRow(pool: pg.Pool, sha256: string): AsyncGenerator<Buffer> {
  yield await readDocument(pool, sha256);
}

async function* charted(
  journal: AsyncIterable<Buffer>,
  accounts: Partial<JournalAccounts>,
): AsyncGenerator<string> {
  const pieces: Buffer[] = [];
  for await (const piece of journal) pieces.push(piece);
  yield withAccounts(Buffer.concat(pieces).toString('utf8'), accounts);
}
