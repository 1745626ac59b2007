import type {
  BankPayments,
  BookedEntry,
  ConfirmedEntry,
  ProposedEntry,
  Proposals,
} from '#invoicing/bank/bank-payments.js';
import type { Match } from '#invoicing/bank/match-entries.js';
import { FILE_BYTES_MAX, readBankFile, tooLarge } from '#invoicing/bank/read-bank-file.js';
import { sumOf } from '#invoice-rules/money.js';
import type { Change } from '#deciding/changes/change.js';
import { Places } from '#web/places.js';
import {
  EntryOutcome,
  type BankProposals,
  type BookedBankEntries,
} from './bank-statement.schemas.js';

type Entry = BankProposals['entries'][number];

const WHY = {
  number: 'It names the invoice.',
  amount_and_name: 'Amount and name fit one invoice, which it does not name.',
  confirmed_account: 'It was confirmed for this account before, and is not recorded yet.',
} as const;
const CLOSED = 'The books of its month are closed: it is dated today.';
/** Members of an entry that pays nothing yet. */
const NOTHING = { apply: [], credit_balance: 0, remains: 0, candidates: [] } as const;

/** Statements of a bank, in requests and answers. */
export class BankStatements {
  /** A file is read at once, one after the other. */
  private readonly files = new Places(1, 0);

  constructor(private readonly payments: Pick<BankPayments, 'book' | 'propose'>) {}

  /** Throws a ProblemException for what is wrong with the file. */
  async propose(body: AsyncIterable<Uint8Array>): Promise<BankProposals> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of body) {
      length += piece.length;
      if (length > FILE_BYTES_MAX) throw tooLarge();
      pieces.push(piece);
    }
    return this.files.run(async () => {
      const file = readBankFile(Buffer.concat(pieces));
      return viewOf(await this.payments.propose(file));
    });
  }

  async book(change: Change, entries: readonly ConfirmedEntry[]): Promise<BookedBankEntries> {
    const made = await this.payments.book(change, entries);
    const booked = made.flatMap((one) => (one.outcome === 'booked' ? [one] : []));
    const currencies = [...new Set(booked.map(({ currency }) => currency))];
    const totals = currencies.map((currency) => {
      const own = booked.filter((one) => one.currency === currency);
      const amounts = own.map(({ payment }) => payment.amount);
      return { currency, payments: own.length, amount: sumOf(amounts, 'What was booked') };
    });
    return { entries: made.map(bookedView), totals };
  }
}

function viewOf({ file, entries, names }: Proposals): BankProposals {
  const views = entries.map((one) => entryView(one, names));
  const currencies = [...new Set(views.map(({ currency }) => currency))];
  return {
    format: file.format,
    statements: file.statements,
    entries: views,
    totals: currencies.map((currency) => {
      const own = views.filter((one) => one.currency === currency);
      const sum = (of: readonly Entry[]) =>
        sumOf(
          of.map(({ amount }) => amount),
          'What was read',
        );
      const outcomes = EntryOutcome.options.map((outcome) => {
        const found = own.filter((one) => one.outcome === outcome);
        return { outcome, entries: found.length, amount: sum(found) };
      });
      return { currency, read: sum(own), outcomes };
    }),
  };
}

function entryView({ entry, match, date }: ProposedEntry, names: Proposals['names']): Entry {
  const { ignored: _ignored, ...shown } = entry;
  const nameOf = (id: string) => names.get(id) ?? null;
  const reason = reasonOf(match);
  const isOpen = match.outcome !== 'ignored' && match.outcome !== 'already_booked';
  const account = 'account_id' in match ? match.account_id : null;
  const common = {
    ...shown,
    outcome: match.outcome,
    reason: isOpen && date === null ? `${reason} ${CLOSED}` : reason,
    account_id: account,
    account_name: account === null ? null : nameOf(account),
    date,
  };
  if (match.outcome === 'proposed') {
    const { apply, credit_balance, remains } = match;
    return { ...common, ...NOTHING, apply, credit_balance, remains };
  }
  if (match.outcome !== 'ambiguous') return { ...common, ...NOTHING };
  const candidates = match.candidates.map((one) => {
    return { ...one, account_name: nameOf(one.account_id) };
  });
  return { ...common, ...NOTHING, candidates };
}

function reasonOf(match: Match): string {
  if (match.outcome === 'proposed') return WHY[match.matched_by];
  return match.outcome === 'already_booked' ? 'It is booked.' : match.reason;
}

function bookedView(one: BookedEntry): BookedBankEntries['entries'][number] {
  const { id, outcome, account_id, currency } = one;
  const of = { id, outcome, account_id, currency };
  if (outcome === 'refused') {
    const nothing = { payment_id: null, amount: 0, applied: [], credit_balance_change: 0 };
    return { ...of, ...nothing, detail: one.detail };
  }
  const { id: payment_id, amount, applied, credit_balance_change } = one.payment;
  return { ...of, payment_id, amount, applied, credit_balance_change, detail: null };
}
