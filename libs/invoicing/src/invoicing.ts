import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { Alarm } from '#event-log/alarm.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { lastMonthIn, readBilling } from '#projections/invoices/account-billing.js';
import { readClosesOf, type DueMonth } from '#projections/invoices/account-closes.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { INVOICES } from '#projections/projections/invoices.projection.js';
import { LEDGER } from '#projections/projections/ledger.projection.js';
import { WINDOWS } from '#projections/projections/windows.projection.js';
import type { LostPositionsLog } from '#service/lost-positions.js';
import type { Log } from '#web/log.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import type { Decider } from '#deciding/submission.js';
import { DueDocuments } from './due-documents.js';
import type { PassWatch, RunFailure, RunResult } from './invoice-run-events.js';
import { InvoiceRuns } from './invoice-runs.js';
import { countDoneMonths } from './to-do-reads.js';
import { Numbering } from './numbering.js';
import { OverdueInvoices } from './overdue.js';
import { Periods } from './periods.js';
import type { RenderDocuments } from './render-documents.js';
import { MonthSealing, type SealResult } from './seal-months.js';
import { documentIdOf, sealedDocument, type SealedDocument } from './sealed-document.js';
import { ToDoList } from './to-do-list.js';

export interface InvoicingParts {
  /** From `openDatabase`, of this work alone: it lends several connections at once. */
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly system: Pick<SystemStream, 'read' | 'appendAll' | 'appendOnce'>;
  readonly accounting: Decider;
  readonly projections: Pick<ProjectionProgress, 'catchUp'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly render: RenderDocuments;
  readonly logger: Log;
  /** Closes every month that has ended by now. */
  readonly closeMonths: () => Promise<void>;
  readonly lostPositions?: Pick<LostPositionsLog, 'keepsNumbers'>;
}

type PassResult = Pick<RunResult, 'issued' | 'failures'>;

const CATCH_UP_MS = 10_000;
const RUN_CATCH_UP_MS = 60_000;
const TRIES_MAX = 50;
const TRY_AGAIN_MS = 50;

/**
 * Issues the invoices of closed months: seals each in its account's lane, then numbers it in the
 * system's. Any number of processes may do so at once, and fall at any moment: what happens is the
 * same, once.
 */
export class Invoicing {
  readonly numbering: Numbering;
  readonly overdue: OverdueInvoices;
  readonly runs: InvoiceRuns;
  readonly periods: Periods;
  private readonly sealing: MonthSealing;
  private readonly loader: AccountLoader;
  readonly toDo: ToDoList;
  readonly documents: DueDocuments;

  constructor(private readonly parts: InvoicingParts) {
    this.loader = new AccountLoader(parts.pool);
    const common = { ...parts, loader: this.loader };
    this.numbering = new Numbering(parts);
    this.periods = new Periods(parts.pool, parts.system);
    this.overdue = new OverdueInvoices(common);
    this.sealing = new MonthSealing(common);
    this.toDo = new ToDoList(parts);
    this.documents = new DueDocuments({
      ...common,
      toDo: this.toDo,
      issue: (sealed) => this.issue(sealed),
    });
    this.runs = new InvoiceRuns({ ...parts, invoicing: this });
  }

  /** Issues what is due of all accounts up to a month, the month's own and earlier ones. */
  async run(month: string, accountId: string | null, watch: PassWatch = {}): Promise<RunResult> {
    const { pool, closeMonths } = this.parts;
    if (accountId !== null) {
      await this.tick(accountId);
      return this.invoiceAccount(accountId, month);
    }
    await this.catchUp(LEDGER);
    await closeMonths();
    await this.catchUp(INVOICES, WINDOWS);
    const skipped = await countDoneMonths(pool, month);
    const stranded = await this.numberUnfinished();
    const { issued, failures } = await this.everything(month, watch);
    return { issued: issued + stranded, skipped, failed: failures.length, failures };
  }

  /** Records the due events of an account, the end of a month too. */
  private async tick(accountId: string): Promise<void> {
    const { accounting, clock } = this.parts;
    const notAfter = clock.now() + CATCH_UP_MS;
    const command = { command: 'tick' } as const;
    const callId = randomUUID();
    await accounting.submit({ accountId, callId, isRetry: false, notAfter, command });
  }

  private async catchUp(...names: readonly string[]): Promise<void> {
    const { log, projections } = this.parts;
    const ends = new Map((await log.ends()).map(({ lane, position }) => [lane, position]));
    for (const name of names) await projections.catchUp(name, ends, RUN_CATCH_UP_MS);
  }

  /**
   * Issues the due invoices of one account and reports overdue ones, on the account's own clock.
   */
  async invoiceAccount(accountId: string, upTo: string | null = null): Promise<RunResult> {
    const { pool, projections, log } = this.parts;
    const lane = laneOf(accountId);
    const [end] = await log.ends([lane]);
    await projections.catchUp(WINDOWS, new Map([[lane, end?.position ?? 0]]), CATCH_UP_MS);
    const billing = await readBilling(pool, accountId);
    const invoiced = lastMonthIn(billing);
    const closes = await readClosesOf(pool, accountId, null);
    const wanted = closes.filter(({ month }) => upTo === null || month <= upTo);
    let skipped = wanted.filter(({ month }) => invoiced !== null && month <= invoiced).length;
    let issued = await this.numberSealed(accountId, billing);
    issued += await this.documents.issueOf(accountId);
    const failures: RunFailure[] = [];
    for (const due of wanted.filter(({ month }) => invoiced === null || month > invoiced)) {
      const sealing = await this.sealOne(due);
      if (sealing.outcome === 'sealed') issued += await this.issue([sealing.sealed]);
      else if (sealing.outcome === 'skipped') skipped += 1;
      else if (sealing.outcome !== 'held') {
        failures.push(this.failed(due, sealing));
        break;
      }
    }
    issued += await this.documents.issueOf(accountId);
    // Another process may have sealed a month since, and not numbered it yet.
    issued += await this.numberSealed(accountId, await readBilling(pool, accountId));
    await this.overdue.report(accountId);
    return { issued, skipped, failed: failures.length, failures };
  }

  /**
   * The number of an account's document that a single event made due, issued if that is still to be
   * done; null: it is not to be sealed now, or numbers wait.
   */
  async numberOf(accountId: string, documentId: string): Promise<string | null> {
    await this.documents.issueOf(accountId);
    // Another process may have sealed it and not numbered it yet.
    const calls = [{ lane: laneOf(accountId), callId: documentId }];
    const sealed = (await this.parts.log.findCalls(calls)).map(sealedDocument);
    await this.issue(sealed);
    return (await this.numbering.find([documentId])).get(documentId)?.number ?? null;
  }

  /**
   * Goes once through what is due, page by page; answers what was issued and what differs. While
   * the documents of a page are made, the next one is sealed.
   */
  async pass(upTo: string | null, { isOver, onFailure }: PassWatch): Promise<PassResult> {
    const failures: RunFailure[] = [];
    let issued = await this.documents.issueAll();
    let issuing = Promise.resolve(0);
    try {
      for await (const page of this.toDo.months(upTo)) {
        const { sealed, differing } = await this.sealPage(page);
        failures.push(...differing);
        for (const failure of differing) onFailure?.(failure);
        issued += await issuing;
        issuing = this.issue(sealed);
        // Its failure is thrown where it is awaited; until then it must not end the process.
        issuing.catch(() => undefined);
        if (isOver?.() === true) break;
      }
    } finally {
      issued += await issuing;
    }
    return { issued, failures };
  }

  private async sealPage(page: readonly DueMonth[]) {
    const sealings = await this.sealing.seal(page);
    const sealed: SealedDocument[] = [];
    const differing: RunFailure[] = [];
    for (const [index, month] of page.entries()) {
      const sealing = sealings[index];
      if (sealing?.outcome === 'differs') differing.push(this.failed(month, sealing));
      if (sealing?.outcome === 'sealed') sealed.push(sealing.sealed);
      if (sealing?.outcome === 'sealed' || sealing?.outcome === 'skipped')
        this.toDo.markDone(month);
    }
    return { sealed, differing };
  }

  /** Numbers what was sealed by a process that fell. Answers how many documents. */
  async numberUnfinished(): Promise<number> {
    return this.issue(await this.toDo.unnumbered());
  }

  /** Passes until nothing is left but what differs. */
  private async everything(upTo: string, watch: PassWatch): Promise<PassResult> {
    const all = { issued: 0, failures: [] as RunFailure[] };
    const alarm = new Alarm();
    this.toDo.resume('months');
    for (let idle = 0; idle < TRIES_MAX && watch.isOver?.() !== true;) {
      const { issued, failures } = await this.pass(upTo, watch);
      all.issued += issued;
      all.failures.push(...failures);
      if (issued + failures.length > 0) {
        this.parts.logger.info({ issued: all.issued, failed: all.failures.length }, 'Invoices.');
        // The next month of an account is due once it is known that this one is sealed.
        await this.catchUp(INVOICES);
        idle = 0;
      } else if (!(await this.toDo.hasMonths(upTo))) return all;
      else {
        idle += 1;
        await alarm.wait(TRY_AGAIN_MS);
      }
    }
    return all;
  }

  /** Rows of days that are a moment behind, or another event about an invoice, are waited out. */
  private async sealOne(due: DueMonth): Promise<SealResult> {
    const alarm = new Alarm();
    for (let attempt = 1; ; attempt++) {
      const [sealing] = await this.sealing.seal([due]);
      if (sealing === undefined) throw new Error('A month has no outcome.');
      if (sealing.outcome !== 'not-yet' || attempt === TRIES_MAX) return sealing;
      await alarm.wait(TRY_AGAIN_MS);
    }
  }

  private async numberSealed(
    accountId: string,
    { events }: Awaited<ReturnType<typeof readBilling>>,
  ): Promise<number> {
    const sealed = events.flatMap((event) =>
      event.type === 'InvoiceSealed' || event.type === 'CreditNoteSealed'
        ? [{ accountId, ...event }]
        : [],
    );
    return this.issue(sealed);
  }

  /** Answers how many of them got a number now. */
  private async issue(sealed: readonly SealedDocument[]): Promise<number> {
    const found = await this.numbering.find(sealed.map(documentIdOf));
    const open = sealed.filter((one) => !found.has(documentIdOf(one)));
    const numbered = await this.numbering.number(open);
    return open.filter((one) => numbered.has(documentIdOf(one))).length;
  }

  private failed(
    due: DueMonth,
    sealing: Exclude<SealResult, { outcome: 'sealed' | 'skipped' | 'held' }>,
  ): RunFailure {
    const { logger } = this.parts;
    const { accountId, month } = due;
    const error = sealing.outcome === 'differs' ? sealing.error : undefined;
    const detail = error?.message ?? 'The projections have not come to the month yet.';
    logger.error({ err: error, accountId, month }, 'A month is not invoiced: look at it.');
    this.toDo.postpone('months', accountId);
    return { account_id: accountId, month, detail };
  }
}
