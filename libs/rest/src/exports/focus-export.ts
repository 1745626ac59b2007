import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { creditLiability } from '#billing/credit-liability.js';
import {
  creditNoteCharges,
  invoiceCharges,
  usageCharge,
  type FocusAccount,
  type FocusLine,
  type FocusPeriod,
} from '#billing/focus.js';
import type { FocusRow } from '#billing/focus-columns.js';
import { linesOfUsage } from '#billing/lines-of-usage.js';
import type { CreditNote, Invoice } from '#billing/invoice.js';
import { purchasedGrants } from '#billing/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant } from '#calendar/instant.js';
import type { Span } from '#calendar/span.js';
import { laneOf, SYSTEM_LANE, type EventLog } from '#event-log/event-log.js';
import { ProjectionPositions } from '#event-log/projection-positions.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { SELLER } from '#ledger/invoices/seller-row.js';
import { INVOICES } from '#ledger/projections/invoices.projection.js';
import { LEDGER } from '#ledger/projections/ledger.projection.js';
import { findProfiles } from '#ledger/texts/profiles.js';
import type { AccountReads, UsageFilter, UsageView } from '#ledger/views/account-reads.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { BooksReader } from './account-books.js';
import { ExportSource, type LogEnds } from './export-source.js';
import { focusAccounts, type ListedAccount } from './focus-accounts.js';
import { focusPieces, type FocusType } from './focus-format.js';
import { wholeRows } from './whole-rows.js';

export interface FocusParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'ends'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly reads: Pick<AccountReads, 'usage'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** A month of supply, of one account or of all. */
export interface FocusScope {
  readonly month: string;
  readonly test: boolean;
  readonly accountId?: string;
}

interface Ended {
  readonly ends: LogEnds;
}

/** Facts of a month's documents about an account's usage. */
interface Billed {
  /** Of the newest invoice that shows the usage. */
  invoice?: string;
  /** Of the calls of the month, less what was credited of it. */
  overage: number;
}

type Bounds = Pick<Span, 'startsAt' | 'endsAt'>;

interface Charged {
  /** By account. */
  readonly billed: Map<string, Billed>;
  /** Lines of invoices that cost something, by place: `INV-000001 4`. */
  readonly lines: Map<string, FocusLine>;
}

/** Calls that are read at once, from the log: no sums of days know their tags. */
const CALLS_AT_ONCE = 50_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER - 1;
const BY = ['day', 'rule', 'kind', 'region', 'tags'] as const;
const UNNAMED_SELLER = 'Popindex';

/** Costs and usage of a month as FOCUS 1.2: documents first, then calls by day. */
@Injectable()
export class FocusExport {
  private readonly books: BooksReader;

  constructor(private readonly parts: FocusParts) {
    const { pool, calendar, clock } = parts;
    this.books = new BooksReader(pool, calendar, clock);
  }

  /**
   * Throws a ProblemException for a month to come and, of one account, for rows behind the log.
   * `ends`: the log up to where its rows are known to be whole.
   */
  async pieces(scope: FocusScope, type: FocusType, ends?: LogEnds): Promise<AsyncIterable<string>> {
    const month = this.parts.calendar.monthOf(scope.month);
    if (month === undefined) throw new Error(`${scope.month} is the label of no month.`);
    // Test clocks run ahead of it.
    if (!scope.test && month.startsAt > this.parts.clock.now()) {
      const fault = { in: 'query', name: 'month', value: scope.month } as const;
      const detail = 'The month has not begun.';
      throw new ProblemException(invalidParameters([{ ...fault, detail }]));
    }
    const { accountId = null } = scope;
    const upTo = ends ?? (await this.wholeRows(accountId));
    return focusPieces(this.rows({ ...scope, ends: upTo }, month), type);
  }

  private wholeRows(accountId: string | null): Promise<LogEnds> {
    const { log, pool } = this.parts;
    const names = [INVOICES, LEDGER];
    const projections = new ProjectionPositions(pool, names, () => undefined);
    const lanes = accountId === null ? undefined : [SYSTEM_LANE, laneOf(accountId)];
    return wholeRows({ log, projections }, names, lanes);
  }

  private async *rows(scope: FocusScope & Ended, month: Span): AsyncGenerator<readonly FocusRow[]> {
    const { pool } = this.parts;
    const issuer = await this.issuer();
    const charged: Charged = { billed: new Map(), lines: new Map() };
    const named = (accounts: readonly ListedAccount[]) =>
      new Map(accounts.map((one) => [one.id, { ...one, issuer, month: periodOf(month) }]));
    const byId = async (ids: readonly string[]) =>
      named(await focusAccounts.byIds(pool, [...new Set(ids)]));
    yield* this.documents(scope, byId, charged);
    for await (const listed of focusAccounts.all(pool, scope)) {
      yield* this.usage(named(listed), month, charged.billed);
    }
  }

  private async *documents(
    { ends, ...scope }: FocusScope & Ended,
    byId: (ids: readonly string[]) => Promise<ReadonlyMap<string, FocusAccount>>,
    charged: Charged,
  ): AsyncGenerator<readonly FocusRow[]> {
    const { pool, calendar } = this.parts;
    const source = new ExportSource(pool, calendar, ends, { ...scope, by: 'supply' });
    const of = (accounts: ReadonlyMap<string, FocusAccount>, document: Invoice | CreditNote) => {
      const account = accounts.get(document.account_id);
      if (account === undefined) throw new Error(`Account ${document.account_id} is not there.`);
      return account;
    };
    for await (const batch of source.invoices()) {
      const accounts = await byId(batch.map(({ document }) => document.account_id));
      yield batch.flatMap(({ document }) => {
        noteInvoice(document, charged);
        return invoiceCharges(document, of(accounts, document), this.daysOf(document.period));
      });
    }
    for await (const batch of source.creditNotes()) {
      const accounts = await byId(batch.map(({ document }) => document.account_id));
      yield batch.flatMap(({ document }) => {
        noteCredit(document, charged);
        const account = of(accounts, document);
        const lineOf = (n: number) => lineAt(placeOf(document.invoice, n), charged);
        return creditNoteCharges(document, account, account.month, lineOf);
      });
    }
  }

  private async *usage(
    accounts: ReadonlyMap<string, FocusAccount>,
    month: Span,
    billed: ReadonlyMap<string, Billed>,
  ): AsyncGenerator<readonly FocusRow[]> {
    const paid = await this.paid([...accounts.keys()], month.label);
    for (const account of accounts.values()) {
      const days = await this.daysUsed(account.id, month);
      const credits = days.reduce((sum, { credits_used: each }) => sum + each, 0);
      const { invoice, overage = 0 } = billed.get(account.id) ?? {};
      const worth = { amount: (paid.get(account.id) ?? 0) + overage, credits };
      yield days.map((item) => {
        const { day, calls, credits_used: used } = item;
        const of = (name: 'rule' | 'kind' | 'region') => String(item[name]);
        const tags = item.tags ? JSON.stringify(item.tags) : null;
        const asked = { rule: of('rule'), kind: of('kind'), region: of('region'), tags };
        const period = this.daysOf({ from: String(day), to: String(day) });
        const row = usageCharge({ ...asked, day: period, calls, credits: used }, account, worth);
        return invoice === undefined ? row : { ...row, InvoiceId: invoice };
      });
    }
  }

  /** The price of the purchased credits that were used in a month, by account. */
  private async paid(ids: readonly string[], month: string): Promise<ReadonlyMap<string, number>> {
    const books = await this.books.of(ids);
    return new Map(
      books.map(({ accountId, changes, state }) => {
        const { grants } = purchasedGrants(month, changes, state, this.parts.calendar);
        const used = creditLiability(grants).map((grant) => grant.used.amount);
        return [accountId, used.reduce((sum, amount) => sum + amount, 0)];
      }),
    );
  }

  private async daysUsed(accountId: string, month: Span): Promise<UsageView[]> {
    const used = await this.sums(accountId, ['day'], month);
    const found: UsageView[] = [];
    for (const span of spansOf(used, this.parts.calendar)) {
      found.push(...(await this.sums(accountId, BY, span)));
    }
    return found;
  }

  private async sums(
    accountId: string,
    by: UsageFilter['by'],
    { startsAt: from, endsAt: to }: Bounds,
  ): Promise<readonly UsageView[]> {
    const all = { limit: NO_LIMIT, after: null, asOf: null };
    return (await this.parts.reads.usage(accountId, { by, from, to, ...all }))?.items ?? [];
  }

  private async issuer(): Promise<string> {
    const { profile } = await this.parts.system.read(SELLER);
    if (profile === null) return UNNAMED_SELLER;
    const profiles = await findProfiles(this.parts.pool, [profile.id]);
    return profiles.get(profile.id)?.seller?.name ?? UNNAMED_SELLER;
  }

  /** From the start of a local day to the end of another. */
  private daysOf({ from, to }: FocusPeriod): FocusPeriod {
    const { calendar } = this.parts;
    const last = calendar.dayAt(calendar.startOfDate(to));
    return { from: formatInstant(calendar.startOfDate(from)), to: formatInstant(last.endsAt) };
  }
}

/** Days in a row that have at most so many calls, or one day that has more. */
function spansOf(days: readonly UsageView[], calendar: Calendar): Bounds[] {
  const spans: Bounds[] = [];
  let calls = Infinity;
  for (const { day, calls: own } of days) {
    const { startsAt, endsAt } = calendar.dayAt(calendar.startOfDate(String(day)));
    const last = spans.at(-1);
    calls += own;
    if (last !== undefined && calls <= CALLS_AT_ONCE) spans.splice(-1, 1, { ...last, endsAt });
    else {
      spans.push({ startsAt, endsAt });
      calls = own;
    }
  }
  return spans;
}

function periodOf({ startsAt, endsAt }: Span): FocusPeriod {
  return { from: formatInstant(startsAt), to: formatInstant(endsAt) };
}

function placeOf({ number }: Pick<Invoice, 'number'>, line: number): string {
  return `${number} ${line}`;
}

function lineAt(place: string, { lines }: Charged): FocusLine {
  const found = lines.get(place);
  if (found === undefined) throw new Error(`Line ${place} is not in the month.`);
  return found;
}

function noteInvoice(invoice: Invoice, { billed, lines: known }: Charged): void {
  const { account_id: id, number, lines } = invoice;
  const found = billed.get(id) ?? { overage: 0 };
  const own = linesOfUsage(invoice);
  for (const line of lines) {
    const isOfUsage = own.includes(line.n);
    if (line.type === 'usage') found.invoice = number;
    if (line.amount !== 0) known.set(placeOf(invoice, line.n), { line, isOfUsage });
    if (line.type === 'overage' && isOfUsage) found.overage += line.amount;
  }
  billed.set(id, found);
}

/** Its amounts are negative. What it takes of a purchase takes the unused credits with it. */
function noteCredit({ account_id: id, invoice, lines }: CreditNote, charged: Charged) {
  const found = charged.billed.get(id);
  if (found === undefined) return;
  for (const { line: n, amount } of lines) {
    const { line, isOfUsage } = lineAt(placeOf(invoice, n), charged);
    if (line.type === 'overage' && isOfUsage) found.overage += amount;
  }
}
