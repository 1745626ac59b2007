import { parse } from 'csv-parse/sync';
import { formatDate, parseDate } from '#calendar/civil-date.js';
import { decimalsOf, isAccountCurrency } from '#invoice-rules/currencies.js';
import { parseAmount } from '#invoice-rules/money.js';
import { EntryIds, plainText, referenceOf } from './bank-entry.js';
import type { BankEntry, BankStatement, FileFault, ReadFile } from './bank-entry.js';

/** Headers of banks by what they name, in small letters without spaces, signs and accents. */
const HEADERS = {
  date: 'date bookingdate bookedon transactiondate datum buchungstag buchungsdatum buchung',
  value_date: 'valuedate valuta valutadatum wertstellung wertstellungsdatum',
  amount: 'amount betrag umsatz betrageur amounteur',
  currency: 'currency ccy waehrung',
  direction: 'direction creditdebit creditdebitindicator sollhaben sollhabenkennzeichen sh',
  text:
    'reference description details purpose remittanceinformation paymentreference ' +
    'verwendungszweck vwz zahlungsreferenz endtoendid endtoendreference kundenreferenz ' +
    'kundenreferenzendtoend',
  name:
    'name payer debtor debtorname counterparty counterpartyname partnername auftraggeber ' +
    'auftraggeberempfaenger beguenstigterzahlungspflichtiger zahlungspflichtiger ' +
    'namezahlungsbeteiligter',
  iban:
    'iban payeriban debtoriban counterpartyiban kontonummeriban ibanzahlungsbeteiligter ' +
    'ibanauftraggeber',
  id:
    'id transactionid entryid bankreference entryreference accountservicerreference ' +
    'transaktionsid buchungsreferenz bankreferenz umsatzid',
  account: 'account accountiban ownaccount owniban auftragskonto ibanauftragskonto',
  status: 'status info',
} as const;
type Column = keyof typeof HEADERS;
const COLUMNS = new Map(
  Object.entries(HEADERS).flatMap(([column, names]) =>
    names.split(' ').map((name) => [name, column as Column] as const),
  ),
);

/** Banks write some lines about the account before the header. */
const HEADER_LINES_MAX = 30;
const YEAR_DIGITS = 2;
const CENTURY = '20';
/** Digits of a group of thousands. */
const GROUP = 3;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads a list of a bank's entries. All faults are named, each by its line. */
export function readBankCsv(text: string): ReadFile {
  let rows: readonly Row[];
  try {
    rows = rowsOf(text);
  } catch (error) {
    return { faults: [{ place: 'file', detail: `This is no CSV: ${(error as Error).message}` }] };
  }
  const start = rows.slice(0, HEADER_LINES_MAX).findIndex(({ cells }) => isHeader(cells));
  const header = rows[start];
  if (header === undefined) {
    const detail = 'No header with a date and an amount in it, such as date;amount;currency;name.';
    return { faults: [{ place: `line ${rows[0]?.line ?? 1}`, detail }] };
  }
  const table = new Table(header);
  for (const row of rows.slice(start + 1)) table.row(row);
  const { faults, entries } = table;
  return faults.length > 0
    ? { faults }
    : { format: 'csv', statements: table.statements(), entries };
}

function rowsOf(text: string): readonly Row[] {
  const lines = text.split('\n', HEADER_LINES_MAX).join('\n');
  const count = (sign: string) => lines.split(sign).length;
  const delimiter = [';', '\t', ','].toSorted((one, other) => count(other) - count(one))[0];
  const options = { bom: true, delimiter, info: true, relax_column_count: true, trim: true };
  const records = parse(text, { ...options, skip_empty_lines: true }) as unknown as readonly {
    readonly info: { readonly lines: number };
    readonly record: readonly string[];
  }[];
  return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
}

function columnOf(header: string): Column | undefined {
  return COLUMNS.get(
    header
      .toLowerCase()
      .replaceAll('ä', 'ae')
      .replaceAll('ü', 'ue')
      .replaceAll('ö', 'oe')
      .replace(/\(.*\)$/, (inside) => (inside.length > '(EUR)'.length ? inside : ''))
      .replaceAll(/[^a-z]/g, ''),
  );
}

function isHeader(cells: readonly string[]): boolean {
  const columns = cells.map(columnOf);
  return columns.includes('date') && columns.includes('amount');
}

class Table {
  readonly faults: FileFault[] = [];
  readonly entries: BankEntry[] = [];
  private readonly columns: readonly (Column | undefined)[];
  /** `Betrag (EUR)`: the currency of all rows. */
  private readonly currency: string | undefined;
  private readonly accounts = new Map<string, { readonly ids: EntryIds; booked: number }>();

  constructor({ line, cells }: Row) {
    this.columns = cells.map(columnOf);
    const amount = cells.find((_, index) => this.columns[index] === 'amount') ?? '';
    this.currency = /(?:\(|\b)([A-Z]{3})\)?$/.exec(amount)?.[1];
    if (this.columns.includes('currency') || this.currency !== undefined) return;
    const detail = 'No column says the currency: add "currency", or name it as "amount (EUR)".';
    this.faults.push({ place: `line ${line}`, detail });
  }

  row({ line, cells }: Row): void {
    const of = (column: Column) =>
      plainText(cells.filter((_, index) => this.columns[index] === column));
    const place = `line ${line}`;
    const faulty = (detail: string): void => void this.faults.push({ place, detail });
    const currency = (of('currency') || (this.currency ?? '')).toUpperCase().replace('€', 'EUR');
    const amount = signedAmount(of('amount'), of('direction'), currency);
    const booking_date = dateOf(of('date'));
    const value_date = of('value_date') === '' ? null : dateOf(of('value_date'));
    if (!isAccountCurrency(currency)) faulty(`currency: "${currency}" is no currency.`);
    else if (typeof amount === 'string') faulty(`amount: ${amount}`);
    if (booking_date === undefined) faulty(`date: ${noDate(of('date'))}`);
    if (value_date === undefined) faulty(`value date: ${noDate(of('value_date'))}`);
    if (typeof amount === 'string' || booking_date === undefined) return;
    const account = of('account').replaceAll(' ', '');
    const known = this.account(account);
    const bank_reference = referenceOf(of('id'));
    const [text, name, iban] = [of('text'), of('name'), of('iban')];
    const content = [text, name, iban];
    const id = known.ids.next({ account, bank_reference, booking_date, amount, currency, content });
    const ignored = reasonToIgnore(amount, of('status'));
    if (ignored !== NOT_BOOKED) known.booked += amount;
    const payer = { name: name || null, iban: iban || null, text, bank_reference };
    const dates = { booking_date, value_date: value_date ?? null };
    this.entries.push({ id, place, ...dates, amount, currency, ...payer, ignored });
  }

  /** Without balances there is nothing that they would have to come to. */
  statements(): BankStatement[] {
    const [first] = this.entries;
    return [...this.accounts].map(([account, { booked }]) => ({
      account: account || null,
      number: null,
      currency: first?.currency ?? '',
      opening: null,
      closing: null,
      booked,
      adds_up: null,
    }));
  }

  private account(account: string) {
    const known = this.accounts.get(account) ?? { ids: new EntryIds(), booked: 0 };
    this.accounts.set(account, known);
    return known;
  }
}

const NOT_BOOKED = 'The bank has not booked it yet.';

function reasonToIgnore(amount: number, status: string): string | null {
  if (/vorgemerkt|pending|pdng/i.test(status)) return NOT_BOOKED;
  return amount < 0 ? 'Money that went out.' : null;
}

/** `2026-11-24`, `24.11.2026` and `24.11.26`: others do not say what is the month. */
function dateOf(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)$/.exec(text) ?? [];
  const whole = year.length === YEAR_DIGITS ? CENTURY + year : year;
  const date = day === '' ? text : [whole, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const number = parseDate(date);
  return number === undefined ? undefined : formatDate(number);
}

function noDate(text: string): string {
  return `"${text}" is no date such as 2026-11-24 or 24.11.2026.`;
}

/** Minor units, or why it is no amount. */
function signedAmount(text: string, direction: string, currency: string): number | string {
  const plain = plainDecimal(text, decimalsOf(currency));
  if (plain === null) return `"${text}" may be thousands or a fraction: write all decimals.`;
  const minor = parseAmount(plain, currency);
  if (minor === undefined) return `"${text}" is no amount such as 1234.56 or 1.234,56.`;
  if (direction === '') return minor;
  if (/^(?:c|h|\+|credit|haben|crdt)$/i.test(direction)) return Math.abs(minor);
  if (/^(?:d|s|-|debit|soll|dbit)$/i.test(direction)) return 0 - Math.abs(minor);
  return `"${direction}" says neither credit nor debit.`;
}

/**
 * The text with a decimal point and without grouping. The last sign is the decimal one, unless it
 * groups thousands; null: it may do either.
 */
function plainDecimal(text: string, decimals: number): string | null {
  const [, before = '', number = '', behind = ''] =
    /^([+-]?)\s*([\d.,'’\s]+?)\s*(?:€|[A-Z]{3})?\s*(-?)$/.exec(text) ?? [];
  const digits = number.replaceAll(/['’\s]/g, '');
  const sign = behind === '' ? before : '-';
  const mark = /[.,](?=\d*$)/.exec(digits)?.[0];
  if (mark === undefined) return sign + digits;
  const other = mark === '.' ? ',' : '.';
  const parts = digits.split(mark);
  const fraction = parts.at(-1) ?? '';
  const mayGroup = fraction.length === GROUP && decimals !== GROUP;
  const isGrouped = parts.length > 2 || (mayGroup && decimals === 0);
  if (mayGroup && !isGrouped && !digits.includes(other)) return null;
  const [first = '', ...groups] = isGrouped ? parts : (parts[0] ?? '').split(other);
  if (first === '' || groups.some((one) => one.length !== GROUP)) return 'no amount';
  const whole = first + groups.join('');
  return sign + (isGrouped ? whole : `${whole}.${fraction}`);
}
