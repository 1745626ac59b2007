import { taxCodeOf, type JournalEntry } from './journal.js';
import type { DatevSettings, JournalAccounts } from './ledger-accounts.js';
import { formatAmount, sumOf } from './money.js';
import { taxOn } from './tax.js';

/** One row of a Buchungsstapel: `amount` is debited (S) or credited (H) to `account`. */
export interface DatevPair {
  readonly account: string;
  readonly contra: string;
  readonly side: 'S' | 'H';
  /** In minor units, above 0; with the tax where a key is given. */
  readonly amount: number;
  /** By which DATEV takes the tax out of the contra account's part; empty: it does not. */
  readonly key: string;
}

/** An entry with whom it is of, as far as a Buchungsstapel states it. */
export interface DatevBooking {
  readonly booked: JournalEntry;
  readonly customer: { readonly number: string; readonly name: string; readonly vatId: string };
}

interface Part {
  readonly account: string;
  readonly amount: number;
}

/**
 * An entry as pairs of accounts. Where its tax has a key, what is taxed stands with its tax in one
 * row; what DATEV would compute otherwise, such as the tax of several lines that was rounded once,
 * is a row of its own. Per account the pairs add up to the postings.
 */
export function datevPairs(
  booking: DatevBooking,
  accounts: JournalAccounts,
  settings: DatevSettings,
): DatevPair[] {
  return keyedPairs(booking, accounts, settings) ?? plainPairs(booking, accounts, settings);
}

function plainPairs(
  booking: DatevBooking,
  accounts: JournalAccounts,
  settings: DatevSettings,
): DatevPair[] {
  const [debits, credits] = sidesOf(booking, accounts, settings);
  const pairs: DatevPair[] = [];
  for (const debit of debits) {
    let open = debit.amount;
    while (open > 0) {
      const credit = credits.shift();
      if (credit === undefined) throw new Error(`${booking.booked.document} is out of balance.`);
      const amount = Math.min(open, credit.amount);
      open -= amount;
      if (credit.amount > amount) credits.unshift({ ...credit, amount: credit.amount - amount });
      const { account } = debit;
      pairs.push({ account, contra: credit.account, side: 'S', amount, key: '' });
    }
  }
  return pairs;
}

/** Null: the entry bears no tax with a key, or not all of it can be computed from its lines. */
function keyedPairs(
  booking: DatevBooking,
  accounts: JournalAccounts,
  settings: DatevSettings,
): DatevPair[] | null {
  const { booked } = booking;
  const { tax: code, postings } = booked;
  if (code === null) return null;
  const { category, rate_percent: rate } = code;
  const key = settings.tax_keys[`${category} ${rate}`];
  if (key === undefined) return null;
  const taxed =
    rate === 0
      ? postings.find((posting) => taxCodeOf(booked, posting) !== null)
      : postings.find(({ ledger }) => ledger === 'tax_payable');
  if (taxed === undefined) return null;
  const isCredit = taxed.credit > 0;
  const own = postings.filter(({ credit }) => credit > 0 === isCredit);
  const [counter, ...others] = postings.filter((posting) => !own.includes(posting));
  if (counter === undefined || others.length > 0) return null;
  const account = codeOf(counter.ledger, booking, accounts, settings);
  const side = isCredit ? 'S' : 'H';
  const lines = own.filter(({ ledger }) => ledger !== 'tax_payable');
  const pairs = lines.map((posting): DatevPair => {
    const net = posting.debit + posting.credit;
    const amount = sumOf([net, taxOn(net, rate)], 'The gross amount');
    return { account, contra: accounts[posting.ledger], side, amount, key };
  });
  const rest = counter.debit + counter.credit - pairs.reduce((sum, { amount }) => sum + amount, 0);
  if (rest < 0) return null;
  const tax: DatevPair = { account, contra: accounts.tax_payable, side, amount: rest, key: '' };
  return rest === 0 ? pairs : [...pairs, tax];
}

function sidesOf(
  booking: DatevBooking,
  accounts: JournalAccounts,
  settings: DatevSettings,
): [debits: Part[], credits: Part[]] {
  const of = (side: 'debit' | 'credit'): Part[] =>
    booking.booked.postings
      .filter((posting) => posting[side] > 0)
      .map((posting) => ({
        account: codeOf(posting.ledger, booking, accounts, settings),
        amount: posting[side],
      }));
  return [of('debit'), of('credit')];
}

/** Receivables stand on the customer's own account where the customer's number is one. */
function codeOf(
  ledger: keyof JournalAccounts,
  { customer }: DatevBooking,
  accounts: JournalAccounts,
  { account_length: length }: DatevSettings,
): string {
  const isDebtor = new RegExp(`^[1-6]\\d{${length}}$`).test(customer.number);
  return ledger === 'receivables' && isDebtor ? customer.number : accounts[ledger];
}

/** Faults of a chart of accounts that DATEV does not take, by name. */
export function datevAccountFaults(
  accounts: JournalAccounts,
  { account_length: length }: DatevSettings,
): readonly string[] {
  const digits = new RegExp(`^\\d{${length}}$`);
  return Object.entries(accounts)
    .filter(([, code]) => !digits.test(code))
    .map(([name, code]) => `${name}: "${code}" is not an account of ${length} digits.`);
}

const VERSION = 700;
const CATEGORY = 21;
const FORMAT = 13;
const BASE_CURRENCY = 'EUR';
const TEXT_MAX = 60;
const INFO_MAX = 210;
const DOCUMENT_MAX = 36;
const NAME_MAX = 30;
const VAT_ID_MAX = 15;
const DECIMALS = 2;
const AMOUNT = /^\d{1,10},\d{2}$/;
const NOT_IN_DOCUMENTS = /[^a-zA-Z0-9$&%*+\-/]/g;
const CONTROLS = /\p{Cc}+/gu;

/** A month's stack: its first and last day, and when it was made (`20261201093000000`). */
export interface DatevStack {
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
}

/** The two lines before the bookings: what the stack is, and the names of its columns. */
export function datevHeader(settings: DatevSettings, { from, to, madeAt }: DatevStack): string {
  const { consultant, client, account_length: length, fiscal_year_month: first } = settings;
  const year = Number(from.slice(0, 4)) - (Number(from.slice(5, 7)) < first ? 1 : 0);
  const fiscalYear = `${year}${String(first).padStart(2, '0')}01`;
  const fields = [
    [quoted('EXTF'), VERSION, CATEGORY, quoted('Buchungsstapel'), FORMAT, madeAt, ''],
    [quoted('RE'), quoted('popindex'), quoted(''), consultant, client, fiscalYear, length],
    [compact(from), compact(to), quoted(`Popindex ${from.slice(0, 7)}`.slice(0, NAME_MAX))],
    [quoted(''), 1, 0, 0, quoted(BASE_CURRENCY), '', quoted(''), '', '', quoted(''), ''],
    ['', quoted(''), quoted('')],
  ];
  return line(fields.flat()) + line(DATEV_COLUMNS);
}

/** The rows of an entry. Throws for an amount that a stack cannot hold. */
export function datevLines(
  booking: DatevBooking,
  accounts: JournalAccounts,
  settings: DatevSettings,
): string[] {
  const { booked, customer } = booking;
  const { currency, date, document, description, reference, tax } = booked;
  const isForeign = currency !== BASE_CURRENCY;
  return datevPairs(booking, accounts, settings).map((pair) =>
    dataLine({
      'Umsatz (ohne Soll/Haben-Kz)': datevAmount(pair.amount, currency),
      'Soll/Haben-Kennzeichen': pair.side,
      'WKZ Umsatz': isForeign ? currency : '',
      Konto: pair.account,
      'Gegenkonto (ohne BU-Schlüssel)': pair.contra,
      'BU-Schlüssel': pair.key,
      Belegdatum: `${date.slice(8, 10)}${date.slice(5, 7)}`,
      'Belegfeld 1': document.replaceAll(NOT_IN_DOCUMENTS, '-').slice(0, DOCUMENT_MAX),
      Buchungstext: short(`${description}, ${customer.name}`, TEXT_MAX),
      ...info(1, 'Kundennummer', customer.number),
      ...info(2, 'Bankreferenz', reference ?? ''),
      ...(tax?.category === 'AE' && pair.key !== ''
        ? { 'EU-Land u. UStID (Bestimmung)': customer.vatId.slice(0, VAT_ID_MAX) }
        : {}),
      Festschreibung: '0',
    }),
  );
}

function info(number: 1 | 2, kind: string, text: string): Partial<Record<string, string>> {
  if (text === '') return {};
  return {
    [`Beleginfo - Art ${number}`]: kind,
    [`Beleginfo - Inhalt ${number}`]: short(text, INFO_MAX),
  };
}

/** With a decimal comma and two decimals, whatever the currency has. Throws beyond 10 digits. */
function datevAmount(minor: number, currency: string): string {
  const [whole = '', decimals = ''] = formatAmount(minor, currency).split('.');
  const text = `${whole},${decimals.padEnd(DECIMALS, '0')}`;
  if (AMOUNT.test(text)) return text;
  throw new Error(`${text} ${currency} is beyond what DATEV takes: 10 digits and 2 decimals.`);
}

function short(text: string, length: number): string {
  return text.replaceAll(CONTROLS, ' ').slice(0, length).trimEnd();
}

function compact(date: string): string {
  return date.replaceAll('-', '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function line(fields: readonly (string | number)[]): string {
  return `${fields.join(';')}\r\n`;
}

function dataLine(values: Partial<Record<string, string>>): string {
  return line(
    DATEV_COLUMNS.map((name) => {
      const value = values[name] ?? '';
      return DATEV_TEXTS.has(name) ? quoted(value) : value;
    }),
  );
}

const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_one, index) => index + 1);

const INFOS = numbers(8).flatMap((n) => [`Beleginfo - Art ${n}`, `Beleginfo - Inhalt ${n}`]);
const EXTRAS = numbers(20).flatMap((n) => [
  `Zusatzinformation - Art ${n}`,
  `Zusatzinformation- Inhalt ${n}`,
]);

/** The columns of a Buchungsstapel of format version 13, in their order. */
export const DATEV_COLUMNS: readonly string[] = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz'.split(';'),
  ...'WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum'.split(';'),
  ...'Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer'.split(';'),
  ...'Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'.split(';'),
  ...INFOS,
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge'.split(';'),
  ...'EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung)'.split(';'),
  ...'Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L'.split(';'),
  ...'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  ...EXTRAS,
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit'.split(';'),
  ...'Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen)'.split(';'),
  ...'EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen)'.split(';'),
  ...'EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz'.split(';'),
  ...'Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername'.split(';'),
  ...'Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis'.split(';'),
  ...'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung'.split(';'),
  ...'Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)'.split(';'),
  ...'Steuersatz;Land;Abrechnungsreferenz;BVV-Position'.split(';'),
  ...'EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto'.split(';'),
];

/** Columns of texts, which stand in quotes even where they are empty. */
const DATEV_TEXTS: ReadonlySet<string> = new Set([
  ...'Soll/Haben-Kennzeichen;WKZ Umsatz;WKZ Basis-Umsatz;BU-Schlüssel;Belegfeld 1'.split(';'),
  ...'Belegfeld 2;Buchungstext;Diverse Adressnummer;Beleglink'.split(';'),
  ...INFOS,
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;EU-Land u. UStID (Bestimmung)'.split(';'),
  ...'Abw. Versteuerungsart'.split(';'),
  ...EXTRAS,
  ...'Forderungsart;Auftragsnummer;Buchungstyp;EU-Land (Anzahlungen);Herkunft-Kz'.split(';'),
  ...'Buchungs GUID;SEPA-Mandatsreferenz;Gesellschaftername;Identifikationsnummer'.split(';'),
  ...'Zeichnernummer;Bezeichnung SoBil-Sachverhalt;Generalumkehr (GU);Land'.split(';'),
  ...'Abrechnungsreferenz;EU-Land u. UStID (Ursprung)'.split(';'),
]);
