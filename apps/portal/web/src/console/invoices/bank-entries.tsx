import { Checkbox, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatMoney } from '../../format/money.js';
import type { BankProposals, BookedBankEntries } from '../../rest/answers.js';
import { money, pill, text } from '../../ui/columns.js';
import type { Columns } from '../../ui/data-table.js';
import type { Tone } from '../../ui/pill.js';
import { AccountPicker } from '../accounts/account-picker.js';
import css from '../console.module.css';

export type Entry = BankProposals['entries'][number];
export type Booked = BookedBankEntries['entries'][number];

/** The choice of somebody for an entry that is not booked as it is proposed. */
export interface Choice {
  readonly account: string | null;
  /** Null: what is due, oldest first. */
  readonly invoice: string | null;
}
export type Choices = Readonly<Record<string, Choice>>;

/** Outcomes of entries in words. */
export const WORDS = {
  proposed: 'proposed',
  already_booked: 'booked',
  ambiguous: 'to choose',
  unmatched: 'no match',
  ignored: 'ignored',
} as const satisfies Record<Entry['outcome'], string>;
const TONES: Readonly<Record<(typeof WORDS)[Entry['outcome']], Tone>> = {
  proposed: 'info',
  booked: 'good',
  'to choose': 'warn',
  'no match': 'warn',
  ignored: 'plain',
};

/** Whether the payment is recorded. */
export function isDone(booked: Booked | undefined): boolean {
  return booked !== undefined && booked.outcome !== 'refused';
}

/** The account that is chosen, or else proposed. */
export function accountOf({ id, account_id: proposed }: Entry, choices: Choices): string | null {
  const choice = choices[id];
  return choice === undefined ? proposed : choice.account;
}

/** An entry as it is sent to be booked. */
export function confirmedOf(entry: Entry, choices: Choices) {
  const { id, amount, currency, date, bank_reference: reference, apply } = entry;
  const of = { id, account_id: accountOf(entry, choices) ?? '', amount, currency, date, reference };
  const choice = choices[id];
  if (choice === undefined) return { ...of, apply };
  const candidate = entry.candidates.find(({ number }) => number === choice.invoice);
  if (candidate === undefined || candidate.due <= 0) return of;
  const { number, due } = candidate;
  return { ...of, apply: [{ number, amount: Math.min(amount, due) }] };
}

interface Table {
  readonly chosen: ReadonlySet<string>;
  readonly choices: Choices;
  readonly booked: ReadonlyMap<string, Booked>;
  readonly toggle: (id: string, isChosen: boolean) => void;
  readonly choose: (id: string, choice: Choice) => void;
}

/** Columns of the entries, in which one chooses what is booked. */
export function columnsOf({ chosen, choices, booked, toggle, choose }: Table): Columns<Entry> {
  const mayBook = (one: Entry) => !isDone(booked.get(one.id)) && OPEN.has(one.outcome);
  return [
    {
      label: 'Book',
      cell: (one) =>
        mayBook(one) && (
          <Checkbox
            aria-label={`Book ${one.place}`}
            checked={chosen.has(one.id) && accountOf(one, choices) !== null}
            disabled={accountOf(one, choices) === null}
            onChange={({ currentTarget }) => toggle(one.id, currentTarget.checked)}
          />
        ),
    },
    text('Date', ({ booking_date: date }) => date),
    money(
      'Amount',
      ({ amount }) => amount,
      ({ currency }) => currency,
    ),
    {
      label: 'Payer and text',
      kind: 'main',
      cell: ({ name, text: purpose, place }) => (
        <>
          <div>{name ?? place}</div>
          <div className={css.note}>{purpose}</div>
        </>
      ),
    },
    pill(
      'Outcome',
      (one) => WORDS[isDone(booked.get(one.id)) ? 'already_booked' : one.outcome],
      TONES,
    ),
    {
      label: 'Books to',
      kind: 'main',
      cell: (one) => (
        <>
          {one.account_id !== null && choices[one.id] === undefined ? (
            <Target of={one} />
          ) : (
            mayBook(one) && <Chooser of={one} choice={choices[one.id]} choose={choose} />
          )}
          <div className={css.note}>{booked.get(one.id)?.detail ?? one.reason}</div>
          {one.outcome === 'proposed' && mayBook(one) && choices[one.id] === undefined && (
            <button
              type="button"
              className={css.link}
              onClick={() => choose(one.id, { account: null, invoice: null })}
            >
              Choose another account
            </button>
          )}
        </>
      ),
    },
  ];
}

const OPEN: ReadonlySet<Entry['outcome']> = new Set(['proposed', 'ambiguous', 'unmatched']);

/** The account and invoices that an entry would pay, and what is over. */
function Target({ of }: { readonly of: Entry }) {
  const { account_id: id, account_name: name, apply, credit_balance: rest, remains, currency } = of;
  return (
    <>
      <Link to={`/accounts/${id ?? ''}` as string}>{name ?? (id ?? '').slice(0, 8)}</Link>
      {apply.map(({ number, amount }) => (
        <div key={number}>
          <Link to={`/invoices/${number}` as string}>{number}</Link> {formatMoney(amount, currency)}
        </div>
      ))}
      {rest > 0 && <div>Credit balance {formatMoney(rest, currency)}</div>}
      {remains > 0 && <div>{formatMoney(remains, currency)} stay due</div>}
    </>
  );
}

interface ChooserProps {
  readonly of: Entry;
  readonly choice: Choice | undefined;
  readonly choose: (id: string, choice: Choice) => void;
}

/** One of the invoices that fit, or any account, whose oldest invoices are paid. */
function Chooser({ of: { id, candidates, currency, place }, choice, choose }: ChooserProps) {
  const invoices = candidates.map(({ number, account_name: name, due }) => {
    return {
      value: number,
      label: `${number}, ${name ?? 'erased'}, ${formatMoney(due, currency)}`,
    };
  });
  return (
    <div className={css.stack}>
      {invoices.length > 0 && (
        <Select
          aria-label={`Invoice of ${place}`}
          placeholder="Choose an invoice"
          data={invoices}
          clearable
          value={choice?.invoice ?? null}
          onChange={(number) => {
            const found = candidates.find((one) => one.number === number);
            choose(id, { account: found?.account_id ?? null, invoice: number });
          }}
        />
      )}
      <AccountPicker
        placeholder="Its oldest invoices"
        value={choice?.account ?? null}
        onChange={(account) => choose(id, { account, invoice: null })}
      />
    </div>
  );
}
