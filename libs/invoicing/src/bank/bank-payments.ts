import type pg from 'pg';
import { commandIdOf } from '#deciding/command-id.js';
import type { Change } from '#deciding/changes/change.js';
import type { SystemChanges } from '#deciding/changes/system-changes.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { BANK_ENTRIES, BANK_ENTRIES_CONFIRMED } from '#projections/events/bank-events.js';
import { closedThrough } from '#projections/events/period-events.js';
import { readAccountNames } from '#projections/reads/account-names.js';
import { ProblemException, statusOf } from '#web/problem.js';
import type { Payments, RecordedMoney } from '../payments.js';
import type { Periods } from '../periods.js';
import type { BankEntry, BankFile } from './bank-entry.js';
import { Matching, numbersIn, type Confirmed, type Match } from './match-entries.js';
import { readMatchedInvoices } from './matched-invoices.js';

export interface BankPaymentsParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly changes: SystemChanges;
  readonly payments: Pick<Payments, 'checkReceipt' | 'receive'>;
  readonly periods: Pick<Periods, 'read'>;
}

/** An entry with what is proposed of it. */
export interface ProposedEntry {
  readonly entry: BankEntry;
  readonly match: Match;
  /** Of the payment; null: today, because the books of its month are closed. */
  readonly date: string | null;
}

export interface Proposals {
  readonly file: BankFile;
  readonly entries: readonly ProposedEntry[];
  /** Names of the accounts by id; erased ones are absent. */
  readonly names: ReadonlyMap<string, string>;
}

/** An entry as somebody confirms it. */
export interface ConfirmedEntry {
  readonly id: string;
  readonly account_id: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Null: today. */
  readonly date: string | null;
  readonly reference: string | null;
  /** Absent: what is due, oldest first. */
  readonly apply?: readonly { readonly number: string; readonly amount: number }[] | undefined;
}

/** An entry with its payment, or why there is none. */
export type BookedEntry = Pick<ConfirmedEntry, 'id' | 'account_id' | 'currency'> &
  (
    | { readonly outcome: 'booked' | 'already_booked'; readonly payment: RecordedMoney }
    | { readonly outcome: 'refused'; readonly detail: string }
  );

const SCOPE = 'bank-entries';
const CALLS_AT_ONCE = 1_000;
const OUTAGE = 500;
const MONTH_LENGTH = '2026-11'.length;

/**
 * Payments by the statements of a bank. Each entry of a bank is recorded once, whoever asks how
 * often: lane 0 says which account it is of, for ever, before its payment is recorded, and the
 * entry names the payment in that account's lane.
 */
export class BankPayments {
  constructor(private readonly parts: BankPaymentsParts) {}

  /** Nothing is recorded. */
  async propose(file: BankFile): Promise<Proposals> {
    const { pool, periods } = this.parts;
    const { entries } = file;
    const currencies = [...new Set(entries.map(({ currency }) => currency))];
    const numbers = [...new Set(entries.flatMap(({ text }) => numbersIn(text)))];
    const invoices = await readMatchedInvoices(pool, currencies, numbers);
    const matching = new Matching(invoices, await this.confirmedOf(entries));
    const closed = closedThrough(await periods.read()) ?? '';
    const proposed = entries.map((entry) => ({
      entry,
      match: matching.match(entry),
      date: entry.booking_date.slice(0, MONTH_LENGTH) <= closed ? null : entry.booking_date,
    }));
    const accounts = proposed.flatMap(({ match }) => accountsIn(match));
    return { file, entries: proposed, names: await readAccountNames(pool, accounts) };
  }

  /**
   * Records the payments of entries. Resolves once all are durable. What is refused of one entry
   * is in its place; after an outage the same request goes on where this one ended.
   */
  async book(change: Change, entries: readonly ConfirmedEntry[]): Promise<readonly BookedEntry[]> {
    const known = await this.parts.system.read(BANK_ENTRIES);
    const refused = new Map<string, string>();
    const fresh: ConfirmedEntry[] = [];
    for (const entry of entries.filter(({ id }) => !known.has(id))) {
      const refusal = await refusalOf(() => this.check(entry));
      if (refusal === undefined) fresh.push(entry);
      else refused.set(entry.id, refusal);
    }
    const accounts = await this.confirm(change, fresh);
    const booked: BookedEntry[] = [];
    for (const entry of entries) {
      const detail = refused.get(entry.id);
      booked.push(await this.record(change, entry, accounts.get(entry.id), detail));
    }
    return booked;
  }

  /** Refuses what would be refused, before the entry is of this account for ever. */
  private async check({ account_id: account, currency, ...entry }: ConfirmedEntry): Promise<void> {
    await this.parts.payments.checkReceipt(account, currency, paymentOf(entry));
  }

  /** Accounts of all entries by now: another request may have been first. */
  private async confirm(
    change: Change,
    fresh: readonly ConfirmedEntry[],
  ): Promise<ReadonlyMap<string, string>> {
    const { system, changes } = this.parts;
    if (fresh.length > 0) {
      await changes.of(SCOPE, change).append(BANK_ENTRIES, (known) => {
        const entries = fresh
          .filter(({ id }) => !known.has(id))
          .map(({ id, account_id }) => [id, account_id] as const);
        return entries.length === 0 ? null : { type: BANK_ENTRIES_CONFIRMED, data: { entries } };
      });
    }
    return system.read(BANK_ENTRIES);
  }

  private async record(
    change: Change,
    entry: ConfirmedEntry,
    account: string | undefined,
    refusal: string | undefined,
  ): Promise<BookedEntry> {
    const { id, account_id, currency } = entry;
    const of = { id, account_id, currency };
    if (account !== undefined && account !== account_id) {
      const detail = `It was confirmed as a payment of the account ${account} before.`;
      return { ...of, outcome: 'refused', detail };
    }
    if (account === undefined) return { ...of, outcome: 'refused', detail: refusal ?? '' };
    try {
      const { payments } = this.parts;
      const made = await payments.receive(account, changeOf(change, id), paymentOf(entry));
      return { ...of, outcome: made.replayed ? 'already_booked' : 'booked', payment: made.view };
    } catch (error) {
      return { ...of, outcome: 'refused', detail: detailOf(error) };
    }
  }

  /** Of the entries that were confirmed before, whether their payments are recorded. */
  private async confirmedOf(
    entries: readonly BankEntry[],
  ): Promise<ReadonlyMap<string, Confirmed>> {
    const { system, log } = this.parts;
    const known = await system.read(BANK_ENTRIES);
    const confirmed = new Map<string, Confirmed>();
    const calls = [...new Set(entries.map(({ id }) => id))].flatMap((id) => {
      const account = known.get(id);
      if (account === undefined) return [];
      return [{ id, account, lane: laneOf(account), callId: paymentId(account, id) }];
    });
    for (let from = 0; from < calls.length; from += CALLS_AT_ONCE) {
      const asked = calls.slice(from, from + CALLS_AT_ONCE);
      const found = await log.findCalls(asked.map(({ lane, callId }) => ({ lane, callId })));
      const booked = new Set(found.map(({ callId }) => callId));
      for (const { id, account, callId } of asked) {
        confirmed.set(id, { account_id: account, booked: booked.has(callId) });
      }
    }
    return confirmed;
  }
}

/** No header can hold a space: the key is of entries alone. */
function keyOf(entryId: string): string {
  return `bank ${entryId}`;
}

/** The id that the payment of an entry has in its account. */
function paymentId(account: string, entryId: string): string {
  return commandIdOf(account, keyOf(entryId));
}

/** The one change that records the payment of an entry, whatever else a request says of it. */
function changeOf({ by, requestId, reason }: Change, entryId: string): Change {
  return { by, requestId, reason, idempotencyKey: keyOf(entryId), input: entryId };
}

function paymentOf({
  amount,
  date,
  reference,
  apply,
}: Omit<ConfirmedEntry, 'account_id' | 'currency'>) {
  return { amount, date: date ?? undefined, reference, apply: apply && [...apply] };
}

async function refusalOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return detailOf(error);
  }
}

/** Of what is refused; an outage is thrown on. */
function detailOf(error: unknown): string {
  if (!(error instanceof ProblemException)) throw error;
  if (statusOf(error.problem) >= OUTAGE) throw error;
  return error.problem.detail;
}

function accountsIn(match: Match): readonly string[] {
  if (match.outcome === 'ambiguous') return match.candidates.map((one) => one.account_id);
  return 'account_id' in match ? [match.account_id] : [];
}
