import { isTest } from '#invoice-rules/invoice.js';
import type { ApplyTo } from '#invoice-rules/receivables.js';
import type { BankEntry } from './bank-entry.js';

/** An issued invoice, as payments are matched with it. */
export interface MatchedInvoice {
  readonly number: string;
  readonly account_id: string;
  /** Names of the account and of its buyer; empty: erased. */
  readonly names: readonly string[];
  readonly currency: string;
  readonly due_date: string;
  /** Minor units; 0 or below: nothing. */
  readonly due: number;
}

/** An invoice that an entry may pay. */
export type Candidate = Pick<MatchedInvoice, 'number' | 'account_id' | 'due'>;

/** The outcome of an entry of a bank. */
export type Match =
  | {
      readonly outcome: 'proposed';
      readonly matched_by: 'number' | 'amount_and_name' | 'confirmed_account';
      readonly account_id: string;
      readonly apply: readonly ApplyTo[];
      /** The rest of the amount, which becomes credit balance. */
      readonly credit_balance: number;
      /** Still due of these invoices afterwards. */
      readonly remains: number;
    }
  | { readonly outcome: 'already_booked'; readonly account_id: string }
  | { readonly outcome: 'ambiguous'; readonly reason: string; readonly candidates: Candidate[] }
  | { readonly outcome: 'unmatched' | 'ignored'; readonly reason: string };

/** The account for which an entry was confirmed, and whether the payment is recorded. */
export interface Confirmed {
  readonly account_id: string;
  readonly booked: boolean;
}

const CANDIDATES_MAX = 10;
const NUMBER_DIGITS = 6;
/**
 * `INV-000001`, `INV 1`, and `RF18INV000001`: banks and people drop signs, and break lines. Few
 * digits before others, as in `INV-2026-11`, are a number of somebody else.
 */
const NUMBERS =
  /(TEST[\W_]*)?(?<![A-Z])INV[\W_]*(\d(?:\s?\d){5,}|\d(?:\s?\d)*(?!\s?\d)(?![-./]\d))/g;
/** Legal forms, which people leave out or write in several ways. */
const LEGAL_FORMS =
  /\b(?:gmbh|mbh|ag|kg|ohg|gbr|ug|se|co|company|ltd|limited|llc|inc|corp|plc|sa|sarl|sas|srl|spa|bv|nv|oy|ab|as|aps)\b/g;

/** Numbers of invoices that a text may name, in the order of the text. */
export function numbersIn(text: string): string[] {
  const found = [...text.toUpperCase().matchAll(NUMBERS)].flatMap(([, test = '', digits = '']) => {
    const [first = ''] = digits.split(/\s/, 1);
    const whole = digits.replaceAll(/\s/g, '');
    const series = test === '' ? 'INV' : 'TEST-INV';
    // A line break may stand in a number, and another number behind it.
    return [first, whole.slice(0, NUMBER_DIGITS), whole].map(
      (one) => `${series}-${one.replace(/^0+/, '').padStart(NUMBER_DIGITS, '0')}`,
    );
  });
  return [...new Set(found)];
}

/** A name without its legal form, signs and accents. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[.'’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(LEGAL_FORMS, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Matches entries with invoices. What one entry pays is not due any more for the next one. */
export class Matching {
  private readonly byNumber = new Map<string, MatchedInvoice>();
  private readonly byAmount = new Map<string, MatchedInvoice[]>();
  private readonly byName = new Map<string, MatchedInvoice[]>();
  private readonly byAccount = new Map<string, MatchedInvoice[]>();
  /** The rest of each invoice that an entry pays, by its number. */
  private readonly left = new Map<string, number>();
  private readonly seen = new Set<string>();

  /** `invoices`: in any order. `confirmed`: by the ids of entries. */
  constructor(
    invoices: readonly MatchedInvoice[],
    private readonly confirmed: ReadonlyMap<string, Confirmed>,
  ) {
    const ordered = oldestFirst(invoices);
    for (const invoice of ordered) {
      this.byNumber.set(invoice.number, invoice);
      if (invoice.due <= 0) continue;
      add(this.byAccount, invoice.account_id, invoice);
      // Money is not expected for test accounts.
      if (isTest(invoice.number)) continue;
      add(this.byAmount, `${invoice.currency} ${invoice.due}`, invoice);
      const names = new Set(invoice.names.map(plainName));
      for (const name of names) add(this.byName, `${invoice.currency} ${name}`, invoice);
    }
  }

  /** Of each entry once, in the order of the file. */
  match(entry: BankEntry): Match {
    const { id, ignored, amount } = entry;
    if (this.seen.has(id)) return ignore('The same entry stands in the file before.');
    this.seen.add(id);
    if (ignored !== null) return ignore(ignored);
    if (amount <= 0) return ignore('No money came in.');
    const before = this.confirmed.get(id);
    if (before?.booked === true) {
      return { outcome: 'already_booked', account_id: before.account_id };
    }
    if (before !== undefined) return this.again(entry, before.account_id);
    return this.byNumbers(entry) ?? this.byAmountAndName(entry);
  }

  /** It was confirmed, and its process fell: it pays this account or none. */
  private again(entry: BankEntry, account: string): Match {
    const all = (this.byAccount.get(account) ?? []).filter((one) => this.due(one) > 0);
    const numbers = numbersIn(entry.text);
    const named = all.filter(({ number }) => numbers.includes(number));
    return this.propose('confirmed_account', entry, account, named.length > 0 ? named : all);
  }

  private byNumbers({ text, ...entry }: BankEntry): Match | undefined {
    const named = numbersIn(text).flatMap((number) => this.byNumber.get(number) ?? []);
    const [first] = named;
    if (first === undefined) return undefined;
    const own = named.filter(({ currency }) => currency === entry.currency);
    const [{ account_id: account, number }] = own.length > 0 ? [own[0] ?? first] : [first];
    if (own.length === 0) {
      return ambiguous(`${number} is in ${first.currency}.`, named);
    }
    if (own.some((one) => one.account_id !== account)) {
      return ambiguous('It names invoices of several accounts.', own);
    }
    const open = own.filter((one) => this.due(one) > 0);
    if (open.length === 0) {
      const reason = `Nothing of ${number} is due: it may be paid twice, or recorded by hand.`;
      return ambiguous(reason, this.asDue(own));
    }
    return this.propose('number', entry, account, open);
  }

  private byAmountAndName(entry: Omit<BankEntry, 'text'>): Match {
    const { amount, currency } = entry;
    const isOpen = (one: MatchedInvoice) => this.due(one) === one.due;
    const equal = (this.byAmount.get(`${currency} ${amount}`) ?? []).filter(isOpen);
    const payer = plainName(entry.name ?? '');
    const same = equal.filter(({ names }) => names.some((name) => isSameName(name, payer)));
    const [only] = same;
    if (only !== undefined && same.length === 1) {
      return this.propose('amount_and_name', entry, only.account_id, same);
    }
    if (same.length > 1) return ambiguous('Amount and name fit several invoices.', same);
    if (equal.length > 0) return ambiguous('The amount fits, the name does not.', equal);
    const others = payer === '' ? [] : (this.byName.get(`${currency} ${payer}`) ?? []);
    if (others.length > 0) {
      return ambiguous('The name fits, the amount does not.', this.asDue(others));
    }
    return { outcome: 'unmatched', reason: 'No open invoice fits.' };
  }

  private propose(
    matched_by: Extract<Match, { outcome: 'proposed' }>['matched_by'],
    { amount }: Pick<BankEntry, 'amount'>,
    account_id: string,
    invoices: readonly MatchedInvoice[],
  ): Match {
    let rest = amount;
    let remains = 0;
    const apply: ApplyTo[] = [];
    for (const invoice of oldestFirst(invoices)) {
      const due = this.due(invoice);
      const part = Math.min(rest, due);
      rest -= part;
      remains += due - part;
      this.left.set(invoice.number, due - part);
      if (part > 0) apply.push({ number: invoice.number, amount: part });
    }
    return { outcome: 'proposed', matched_by, account_id, apply, credit_balance: rest, remains };
  }

  private due({ number, due }: MatchedInvoice): number {
    return Math.max(0, this.left.get(number) ?? due);
  }

  private asDue(invoices: readonly MatchedInvoice[]): MatchedInvoice[] {
    return invoices.map((one) => ({ ...one, due: this.due(one) }));
  }
}

function isSameName(name: string, payer: string): boolean {
  const plain = plainName(name);
  return plain !== '' && plain === payer;
}

function oldestFirst(invoices: readonly MatchedInvoice[]): readonly MatchedInvoice[] {
  const key = ({ due_date, number }: MatchedInvoice) => `${due_date} ${number}`;
  return invoices.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function add<Item>(map: Map<string, Item[]>, name: string, item: Item): void {
  const items = map.get(name);
  if (items === undefined) map.set(name, [item]);
  else items.push(item);
}

function ambiguous(reason: string, invoices: readonly MatchedInvoice[]): Match {
  const candidates = invoices.slice(0, CANDIDATES_MAX).map(({ number, account_id, due }) => {
    return { number, account_id, due };
  });
  return { outcome: 'ambiguous', reason, candidates };
}

function ignore(reason: string): Match {
  return { outcome: 'ignored', reason };
}
