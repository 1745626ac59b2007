import type pg from 'pg';
import { creditLiability } from '#invoice-rules/credit-liability.js';
import {
  creditNoteCharges,
  focusLines,
  invoiceCharges,
  usageCharge,
  type FocusLine,
} from '#invoice-rules/focus.js';
import {
  FOCUS_HEADER,
  focusCsvLine,
  focusJsonLine,
  type FocusAccount,
  type FocusCharge,
  type FocusPeriod,
} from '#invoice-rules/focus-columns.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { purchasedGrants } from '#invoice-rules/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant } from '#calendar/instant.js';
import type { Span } from '#calendar/span.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { laneOf, SYSTEM_LANE, type EventLog } from '#event-log/event-log.js';
import { ProjectionPositions } from '#event-log/projection-positions.js';
import { queryByLane } from '#event-log/query-by-lane.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { SELLER } from '#projections/invoices/seller-row.js';
import { INVOICES } from '#projections/projections/invoices.projection.js';
import { LEDGER } from '#projections/projections/ledger.projection.js';
import { WANTED_ACCOUNTS } from '#projections/reads/account-names.js';
import { findProfiles } from '#projections/texts/profiles.js';
import type { AccountReads, UsageFilter, UsageView } from '#projections/views/account-reads.js';
import { BooksReader } from './account-books.js';
import { ExportSource, type LogEnds } from './export-source.js';
import { wholeRows } from './whole-rows.js';

/** The media types of FOCUS, as they are sent and with the end of a file's name. */
export const FOCUS_TYPES = {
  'text/csv': { type: 'text/csv; charset=utf-8', extension: 'csv' },
  'application/jsonl': { type: 'application/jsonl; charset=utf-8', extension: 'jsonl' },
} as const;
export type FocusType = keyof typeof FOCUS_TYPES;
export const FOCUS_MEDIA = Object.keys(FOCUS_TYPES) as readonly FocusType[];

export interface FocusParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'ends'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly reads: Pick<AccountReads, 'account' | 'usage'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** A month of supply, of one account or of all. */
export interface FocusScope {
  readonly month: string;
  readonly test: boolean;
  readonly accountId?: string;
}

type Batches<Item> = AsyncGenerator<readonly Item[]>;

/** Calls that are read at once, from the log: no sums of days know their tags. */
const CALLS_AT_ONCE = 50_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER - 1;
const BY = ['day', 'rule', 'kind', 'region', 'tags'] as const;
const UNNAMED_SELLER = 'Popindex';

/** Costs and usage of a month as FOCUS 1.2: documents first, then calls by day. */
export class FocusExport {
  private readonly books: BooksReader;

  constructor(private readonly parts: FocusParts) {
    const { pool, calendar, clock } = parts;
    this.books = new BooksReader(pool, calendar, clock);
  }

  /**
   * As `pieces`, of one account. Throws a ProblemException for an account that was never opened,
   * and for rows behind the log.
   */
  async ofAccount(month: string, accountId: string, type: FocusType) {
    const { log, pool, reads } = this.parts;
    foundAccount(await reads.account(accountId));
    const names = [INVOICES, LEDGER];
    const projections = new ProjectionPositions(pool, names, () => undefined);
    const ends = await wholeRows({ log, projections }, names, [SYSTEM_LANE, laneOf(accountId)]);
    return this.pieces({ month, accountId, test: true }, type, ends);
  }

  /** Rows as they are sent. `ends`: the log up to where what it is read from is whole. */
  async *pieces(scope: FocusScope, type: FocusType, ends: LogEnds): AsyncGenerator<string> {
    const line = type === 'text/csv' ? focusCsvLine : focusJsonLine;
    if (type === 'text/csv') yield FOCUS_HEADER;
    for await (const charges of this.charges(scope, ends)) {
      if (charges.length > 0) yield charges.map(line).join('');
    }
  }

  private async *charges(scope: FocusScope, ends: LogEnds): Batches<FocusCharge> {
    const month = this.parts.calendar.monthOf(scope.month);
    if (month === undefined) throw new Error(`${scope.month} is the label of no month.`);
    const issuer = await this.issuer();
    const accountsOf = (ids: readonly string[]) => this.accounts(ids, month, issuer);
    const billed = new BilledUsage();
    yield* this.documents(scope, ends, accountsOf, billed);
    const { accountId, test } = scope;
    for await (const ids of accountId === undefined ? this.books.ids(test) : [[accountId]]) {
      yield* this.usage(await accountsOf(ids), month, billed);
    }
  }

  private async *documents(
    scope: FocusScope,
    ends: LogEnds,
    accountsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, FocusAccount>>,
    billed: BilledUsage,
  ): Batches<FocusCharge> {
    const { pool, calendar } = this.parts;
    const source = new ExportSource(pool, calendar, ends, { ...scope, by: 'supply' });
    const withAccounts = async <Of extends Invoice | CreditNote>(
      batch: readonly { readonly document: Of }[],
    ): Promise<readonly (readonly [Of, FocusAccount])[]> => {
      const accounts = await accountsOf(batch.map(({ document }) => document.account_id));
      return batch.map(({ document }) => [document, found(accounts, document.account_id)]);
    };
    for await (const batch of source.invoices()) {
      yield (await withAccounts(batch)).flatMap(([invoice, account]) => {
        billed.addInvoice(invoice);
        return invoiceCharges(invoice, account, this.daysOf(invoice.period));
      });
    }
    for await (const batch of source.creditNotes()) {
      yield (await withAccounts(batch)).flatMap(([note, account]) => {
        billed.addCreditNote(note);
        return creditNoteCharges(note, account, account.month, billed.linesOf(note));
      });
    }
  }

  private async *usage(
    accounts: ReadonlyMap<string, FocusAccount>,
    month: Span,
    billed: BilledUsage,
  ): Batches<FocusCharge> {
    const paid = await this.paid([...accounts.keys()], month.label);
    for (const account of accounts.values()) {
      const days = await this.daysUsed(account.id, month);
      const credits = days.reduce((sum, { credits_used: each }) => sum + each, 0);
      const overage = billed.overages.get(account.id) ?? 0;
      const worth = { amount: (paid.get(account.id) ?? 0) + overage, credits };
      yield days.map((item) => {
        const { day, calls, credits_used: used } = item;
        const of = (name: 'rule' | 'kind' | 'region') => String(item[name]);
        const tags = item.tags ? JSON.stringify(item.tags) : null;
        const asked = { rule: of('rule'), kind: of('kind'), region: of('region'), tags };
        const period = this.daysOf({ from: String(day), to: String(day) });
        const usage = { ...asked, day: period, calls, credits: used };
        return usageCharge(usage, account, worth, billed.invoices.get(account.id));
      });
    }
  }

  /** Accounts by id; erased ones are called by it. */
  private async accounts(ids: readonly string[], month: Span, issuer: string) {
    type Row = Pick<FocusAccount, 'id' | 'name' | 'currency'>;
    const { pool } = this.parts;
    const wanted = [...new Set(ids)];
    const rows = await queryByLane<Row, string>(pool, wanted, laneOf, (own) => ({
      name: 'focus-accounts',
      text: `select wanted.account_id as id,
                    coalesce(a.state ->> 'currency', e.data ->> 'currency') as currency,
                    coalesce(p.body ->> 'name', wanted.account_id::text) as name
               from ${WANTED_ACCOUNTS}`,
      values: [own.map(laneOf), own],
    }));
    const period = { from: formatInstant(month.startsAt), to: formatInstant(month.endsAt) };
    const named = new Map(rows.map((row) => [row.id, { ...row, issuer, month: period }]));
    return new Map(wanted.map((id) => [id, found(named, id)]));
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

  /** Days in a row that have at most so many calls are read at once, or one that has more. */
  private async daysUsed(accountId: string, month: Span): Promise<UsageView[]> {
    const rows: UsageView[] = [];
    let from = month.startsAt;
    let calls = 0;
    for (const { day, calls: own } of await this.sums(accountId, ['day'], month)) {
      const startsAt = this.parts.calendar.startOfDate(String(day));
      if (calls > 0 && calls + own > CALLS_AT_ONCE) {
        rows.push(...(await this.sums(accountId, BY, { startsAt: from, endsAt: startsAt })));
        from = startsAt;
        calls = 0;
      }
      calls += own;
    }
    if (calls === 0) return rows;
    return [...rows, ...(await this.sums(accountId, BY, { ...month, startsAt: from }))];
  }

  private async sums(
    accountId: string,
    by: UsageFilter['by'],
    { startsAt: from, endsAt: to }: Pick<Span, 'startsAt' | 'endsAt'>,
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

/** The usage of accounts as the documents of a month bill it. */
class BilledUsage {
  /** By account: the newest invoice that shows its usage. */
  readonly invoices = new Map<string, string>();
  /** By account: what was billed for the calls of the month, less what was credited of it. */
  readonly overages = new Map<string, number>();
  /** By place: `INV-000001 4`. */
  private readonly lines = new Map<string, FocusLine>();

  addInvoice(invoice: Invoice): void {
    const { account_id: id, number } = invoice;
    if (invoice.lines.some(({ type }) => type === 'usage')) this.invoices.set(id, number);
    for (const one of focusLines(invoice)) {
      this.lines.set(`${number} ${one.line.n}`, one);
      this.addCost(id, one, one.line.amount);
    }
  }

  /** Its amounts are negative. What it takes of a purchase takes the unused credits with it. */
  addCreditNote(note: CreditNote): void {
    const lineOf = this.linesOf(note);
    for (const { line, amount } of note.lines) this.addCost(note.account_id, lineOf(line), amount);
  }

  /** The lines of the invoice that a credit note is of, by number. */
  linesOf({ invoice }: CreditNote): (line: number) => FocusLine {
    return (n) => found(this.lines, `${invoice.number} ${n}`);
  }

  private addCost(id: string, { line, isOfUsage }: FocusLine, amount: number): void {
    if (line.type !== 'overage' || !isOfUsage) return;
    this.overages.set(id, (this.overages.get(id) ?? 0) + amount);
  }
}

function found<Value>(values: ReadonlyMap<string, Value>, key: string): Value {
  const value = values.get(key);
  if (value === undefined) throw new Error(`${key} is not there.`);
  return value;
}
