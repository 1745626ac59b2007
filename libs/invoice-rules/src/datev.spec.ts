import { DEFAULT_ACCOUNTS, type DatevSettings } from './ledger-accounts.js';
import fc from 'fast-check';
import { history, opening } from '#account/histories.suite.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { accruals } from './accruals.js';
import { datevAccountFaults, DATEV_COLUMNS, datevHeader, datevLines } from './datev.js';
import { datevBalances, readDatev } from './datev-reader.suite.js';
import { periodOf } from './draft-invoice.js';
import { creditNoteEntry, earnedEntry, invoiceEntry } from './journal.js';
import type { JournalEntry } from './journal.js';
import { priceOf } from './money.js';
import { grantMonths, type MonthFacts } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf, utc } from './months.suite.js';
import { taxOn } from './tax.js';
import { windows1252 } from './windows-1252.js';

const SETTINGS: DatevSettings = {
  consultant: 29_098,
  client: 55_003,
  account_length: 4,
  fiscal_year_month: 1,
  tax_keys: { 'S 19': '3', 'S 7': '2', 'AE 0': '46' },
};
const RATES = { 3: 19, 2: 7, 46: 0 };
const STACK = { from: '2026-11-01', to: '2026-11-30', madeAt: '20261201093000123' };
const CUSTOMER = { number: '10001', name: 'Müller & Söhne "Nord" GmbH', vatId: 'ATU12345675' };
const S19 = { category: 'S', rate_percent: 19 } as const;
const HEADING = { date: '2026-11-30', document: '2026-11', documentId: null, currency: 'EUR' };

function stackOf(entries: readonly JournalEntry[], settings = SETTINGS, customer = CUSTOMER) {
  const bookings = entries.map((booked) => ({ booked, customer }));
  const lines = bookings.flatMap((one) => datevLines(one, DEFAULT_ACCOUNTS, settings));
  return readDatev(datevHeader(settings, STACK) + lines.join(''));
}

/** Debits less credits of the postings, receivables on the customer's own account. */
function balancesOf(entries: readonly JournalEntry[], debtor = CUSTOMER.number) {
  const sums: Record<string, number> = {};
  for (const { ledger, debit, credit } of entries.flatMap(({ postings }) => postings)) {
    const code = ledger === 'receivables' ? debtor : DEFAULT_ACCOUNTS[ledger];
    sums[code] = (sums[code] ?? 0) + debit - credit;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

test('the first line states format, client, fiscal year and month', () => {
  const { header } = stackOf([]);
  expect(header).toHaveLength(31);
  expect(header.slice(0, 22).join(';')).toBe(
    '"EXTF";700;21;"Buchungsstapel";13;20261201093000123;;"RE";"popindex";"";29098;55003;20260101;4;' +
      '20261101;20261130;"Popindex 2026-11";"";1;0;0;"EUR"',
  );
  expect(DATEV_COLUMNS).toHaveLength(125);
  expect(new Set(DATEV_COLUMNS).size).toBe(125);
});

test.each([
  [7, '2026-11-01', '20260701'],
  [12, '2026-11-01', '20251201'],
])('a fiscal year that begins in month %d', (first, from, begins) => {
  const header = datevHeader({ ...SETTINGS, fiscal_year_month: first }, { ...STACK, from });
  expect(header.split(';')[12]).toBe(begins);
});

test('what is taxed stands with its tax in one row, with the key of the tax', () => {
  const earned = earnedEntry({ ...HEADING, tax: S19 }, { fee: 4_900, overage: 525, tax: 1_031 });
  const { rows } = stackOf([earned]);
  const short = rows.map((row) =>
    [0, 1, 6, 7, 8, 9, 10].map((index) => row[DATEV_COLUMNS[index] ?? '']),
  );
  expect(short).toEqual([
    ['6,25', 'S', '1210', '4010', '3', '3011', '2026-11'],
    ['58,31', 'S', '1210', '4000', '3', '3011', '2026-11'],
  ]);
  expect(rows[0]?.['Buchungstext']).toBe('Earned in the month, Müller & Söhne "Nord" GmbH');
  expect(rows[0]?.['Beleginfo - Inhalt 1']).toBe('10001');
});

test('the cent by which a tax that was rounded once differs is a row of its own', () => {
  const keysOf = (amount: number) => {
    const amounts = { fee: amount, overage: amount, tax: 1 };
    const { rows } = stackOf([earnedEntry({ ...HEADING, tax: S19 }, amounts)]);
    return rows.map((row) => row['BU-Schlüssel']);
  };
  expect(keysOf(2)).toEqual(['3', '3', '']);
  // Line by line it would be a cent more: then no line has a key.
  expect(keysOf(3)).toEqual(['', '', '']);
});

test('a tax without a key is booked to the account of the tax', () => {
  const tax = { category: 'S', rate_percent: 20 } as const;
  const earned = earnedEntry({ ...HEADING, tax }, { fee: 100, overage: 0, tax: 20 });
  const { rows } = stackOf([earned]);
  const pairs = rows.map((row) => [row['Gegenkonto (ohne BU-Schlüssel)'], row['BU-Schlüssel']]);
  expect(pairs).toEqual([
    ['4000', ''],
    ['2200', ''],
  ]);
});

test('a reverse charge names the VAT identifier of the customer', () => {
  const tax = { category: 'AE', rate_percent: 0 } as const;
  const { rows } = stackOf([earnedEntry({ ...HEADING, tax }, { fee: 100, overage: 0, tax: 0 })]);
  expect(rows[0]?.['BU-Schlüssel']).toBe('46');
  expect(rows[0]?.['EU-Land u. UStID (Bestimmung)']).toBe('ATU12345675');
});

test('another currency is named, and yen have two decimals', () => {
  const entry = earnedEntry({ ...HEADING, currency: 'JPY' }, { fee: 125, overage: 0, tax: 0 });
  const [row] = stackOf([entry]).rows;
  expect([row?.['Umsatz (ohne Soll/Haben-Kz)'], row?.['WKZ Umsatz']]).toEqual(['125,00', 'JPY']);
  const dinar = earnedEntry({ ...HEADING, currency: 'KWD' }, { fee: 1, overage: 0, tax: 0 });
  expect(() => stackOf([dinar])).toThrow('0,001 KWD is beyond what DATEV takes');
});

test('any name and reference makes a row that keeps the rules', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, (name, number, reference) => {
      const heading = { ...HEADING, document: number, reference };
      const entry = earnedEntry(heading, { fee: 100, overage: 0, tax: 0 });
      const { rows } = stackOf([entry], SETTINGS, { ...CUSTOMER, name, number });
      expect(rows).toHaveLength(1);
    }),
  );
});

test('Windows-1252 has umlauts and the euro, drops accents that it lacks, and asks for others', () => {
  expect(Buffer.from(windows1252('Ä €‰ő漢'))).toEqual(
    Buffer.from([0xc4, 0x20, 0x80, 0x89, 0x6f, 0x3f]),
  );
  expect(Buffer.from(windows1252('„Žé“–'))).toEqual(Buffer.from([0x84, 0x8e, 0xe9, 0x93, 0x96]));
});

test('accounts that DATEV does not take are named all at once', () => {
  const accounts = { ...DEFAULT_ACCOUNTS, bank: '18000', fee_revenue: '8400/1' };
  expect(datevAccountFaults(accounts, SETTINGS)).toEqual([
    'bank: "18000" is not an account of 4 digits.',
    'fee_revenue: "8400/1" is not an account of 4 digits.',
  ]);
});

/** Accruals, invoices and a credit note of a month, taxed by these rates. */
function entriesOf(facts: MonthFacts, rate: 7 | 19 | 20): JournalEntry[] {
  const { month, plan, closing, movements } = facts;
  const code = { category: 'S', rate_percent: rate } as const;
  const fee = plan?.monthly_fee ?? 0;
  const overage = priceOf(closing.overage, plan?.price_per_1000_credits ?? 0);
  const grants = grantMonths(facts).filter(({ kind }) => kind === 'purchased');
  const tax = taxOn(fee + overage, rate);
  const entries = accruals({
    currency: 'EUR',
    period: periodOf(month),
    dayOf: (at) => utc.dayAt(at).label,
    grants,
    movements,
    earned: { fee, overage, tax, code },
    purchaseOf: (id) => {
      const price = grants.find((grant) => grant.id === id)?.price ?? 0;
      return { number: 'INV-000001', tax: taxOn(price, rate), code };
    },
  });
  const total = fee + overage + tax;
  if (total === 0) return entries;
  const dated = { issue_date: periodOf(month).to, currency: 'EUR', tax, total } as const;
  const invoice = { ...dated, invoice_id: 'invoice', month, number: 'INV-000002' };
  const lines = [
    { n: 1, type: 'fee', description: '', amount: fee },
    { n: 2, type: 'overage', description: '', amount: overage, billed_credits: 0 },
  ].map((line) => ({ ...line, price_per_1000_credits: 0 })) as never;
  const note = {
    ...dated,
    credit_note_id: 'note',
    number: 'CN-000001',
    of: 'INV-000002',
    lines: [[1, fee] as const, [2, overage] as const],
    // Some of it is kept: an entry with two counter accounts.
    ...(total % 2 === 0 && { to_balance: Math.floor(total / 3) }),
  };
  const corrected = { lines, tax_breakdown: [{ ...code, taxable: fee + overage, tax }] };
  return [...entries, invoiceEntry(invoice), creditNoteEntry(note, corrected)];
}

test('a stack books to each account what the journal does, whatever happened', () => {
  let keyed = 0;
  fc.assert(
    fc.property(
      opening,
      history,
      fc.boolean(),
      fc.constantFrom(7, 19, 20),
      (account, steps, isMonthly, rate) => {
        const events = eventsOf(account, steps, utc, TUESDAY, isMonthly);
        const months = monthFactsFromEvents(events, utc).closed;
        const entries = months.flatMap((facts) => entriesOf(facts, rate as 7 | 19 | 20));
        const { rows } = stackOf(entries);
        keyed += rows.filter((row) => row['BU-Schlüssel'] !== '').length;
        const tax = DEFAULT_ACCOUNTS.tax_payable;
        expect(datevBalances(rows, RATES, tax)).toEqual(balancesOf(entries));
      },
    ),
  );
  expect(keyed).toBeGreaterThan(0);
});
