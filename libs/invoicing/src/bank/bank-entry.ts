import { uuidOfParts } from '#web/uuid.js';

/** One movement of money on a bank account, as its statement says it. */
export interface BankEntry {
  /** The same in every file that holds the entry: a payment of it is recorded once. */
  readonly id: string;
  /** Where it stands in the file: `entry 3, detail 2`; `line 5`. */
  readonly place: string;
  /** Local dates of the bank, `2026-11-24`. */
  readonly booking_date: string;
  readonly value_date: string | null;
  /** Minor units; below 0 money went out. */
  readonly amount: number;
  readonly currency: string;
  /** Who paid. */
  readonly name: string | null;
  readonly iban: string | null;
  /** The purpose as the payer wrote it, and the structured references. */
  readonly text: string;
  /** The reference of the bank. */
  readonly bank_reference: string | null;
  /** Why it is no payment of a customer; null: it may be one. */
  readonly ignored: string | null;
}

/** A statement of a file, with the check of its sums where it states balances. */
export interface BankStatement {
  /** IBAN or number of the account; null: the file does not say it. */
  readonly account: string | null;
  readonly number: string | null;
  readonly currency: string;
  /** Minor units; null: the file does not say it. */
  readonly opening: number | null;
  readonly closing: number | null;
  /** Sum of its booked entries. */
  readonly booked: number;
  /** Whether opening and booked come to closing; null: the file does not say it. */
  readonly adds_up: boolean | null;
}

/** A file of a bank, read. */
export interface BankFile {
  readonly format: string;
  readonly statements: readonly BankStatement[];
  readonly entries: readonly BankEntry[];
}

/** A fault of a file, and its place. */
export interface FileFault {
  readonly place: string;
  readonly detail: string;
}

export type ReadFile = BankFile | { readonly faults: readonly FileFault[] };

/** Members that set an entry apart from all others of a bank. */
export interface EntryKey {
  readonly account: string;
  readonly bank_reference: string | null;
  readonly booking_date: string;
  readonly amount: number;
  readonly currency: string;
  /** Whatever else the file says of it. */
  readonly content: readonly string[];
}

/**
 * Ids of the entries of one statement. An entry with a reference of the bank has the id of that
 * reference, whatever else the file says: twice the same is twice the same entry. Without one its
 * content names it, and its ordinal among entries of the same content.
 */
export class EntryIds {
  private readonly seen = new Map<string, number>();

  next({ account, bank_reference, booking_date, amount, currency, content }: EntryKey): string {
    const common = [account, booking_date, String(amount), currency];
    if (bank_reference !== null) return uuidOfParts('bank', ...common, bank_reference);
    const id = uuidOfParts('bank', ...common, '', ...content);
    const ordinal = (this.seen.get(id) ?? 0) + 1;
    this.seen.set(id, ordinal);
    return uuidOfParts('bank', id, String(ordinal));
  }
}

/** References that say that there is none. */
const NO_REFERENCE = /^(?:not ?provided|nonref|n\/?a|0*|-)$/i;

/** A reference without spaces around it; null: there is none. */
export function referenceOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return NO_REFERENCE.test(trimmed) ? null : trimmed;
}

/** Text as it is compared and shown: one space between words. */
export function plainText(parts: readonly (string | null | undefined)[]): string {
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}
