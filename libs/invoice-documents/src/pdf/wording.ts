import type { CreditNote, Settlement } from '#billing/invoice.js';
import { formatAmount } from '#billing/money.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const SHORT_MONTH = 3;
const THOUSANDS = /\B(?=(\d{3})+(?!\d))/g;
const GROUPS_OF_FOUR = /.{4}(?=.)/g;

// Not by the engine's own tables: they differ from version to version, and bytes must not.

/** `1,234,567` */
export function grouped(count: number): string {
  return String(count).replace(THOUSANDS, ',');
}

/** `1,234.56`, with the decimals of the currency. */
export function money(minor: number, currency: string): string {
  const [whole = '', decimals] = formatAmount(minor, currency).split('.');
  const digits = whole.replace(THOUSANDS, ',');
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

/** `EUR 1,234.56` */
export function moneyOf(minor: number, currency: string): string {
  return `${currency} ${money(minor, currency)}`;
}

/** `2026-11-01` as `1 November 2026`. */
export function longDate(date: string): string {
  const { day, month, year } = partsOf(date);
  return `${day} ${month} ${year}`;
}

/** `6–12 Oct`, or `29 Sep–5 Oct`: a week. */
export function shortSpan(from: string, to: string): string {
  const [first, last] = [partsOf(from), partsOf(to)];
  const end = `${last.day} ${last.month.slice(0, SHORT_MONTH)}`;
  if (from === to) return end;
  if (first.month === last.month) return `${first.day}–${end}`;
  return `${first.day} ${first.month.slice(0, SHORT_MONTH)}–${end}`;
}

/** The settlement of a credit note: set off, refunded, or kept as credit balance. */
export function settlementText(note: CreditNote): string {
  const { settlement, currency, invoice } = note;
  if (settlement?.credit_balance !== undefined) return keptText(note, settlement);
  const setOff = `to be set off against ${invoice.number}`;
  if (settlement === undefined || settlement.refund === 0) return `T${setOff.slice(1)}`;
  const refund = `to be refunded, because ${invoice.number} was paid`;
  if (settlement.set_off === 0) return `T${refund.slice(1)}`;
  const parts = [moneyOf(settlement.set_off, currency), moneyOf(settlement.refund, currency)];
  return `${parts[0]} ${setOff}, ${parts[1]} to be refunded`;
}

function keptText(
  { currency, invoice }: CreditNote,
  { set_off: setOff, credit_balance: kept = 0 }: Settlement,
): string {
  const why = `Kept as credit balance, because ${invoice.number} was paid`;
  if (setOff === 0) return why;
  const parts = [moneyOf(setOff, currency), moneyOf(kept, currency)];
  return `${parts[0]} to be set off against ${invoice.number}, ${parts[1]} kept as credit balance`;
}

/** An IBAN as it is printed: in groups of four. */
export function printedIban(iban: string): string {
  return iban.replaceAll(' ', '').replace(GROUPS_OF_FOUR, '$& ');
}

function partsOf(date: string): { day: number; month: string; year: string } {
  const [year = '', month = '', day = ''] = date.split('-');
  return { day: Number(day), month: MONTHS[Number(month) - 1] ?? month, year };
}
