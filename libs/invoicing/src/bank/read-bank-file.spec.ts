import { readFileSync } from 'node:fs';
import { ProblemException } from '#web/problem.js';
import { FILE_BYTES_MAX, readBankFile } from './read-bank-file.js';

const SAMPLES = new URL('samples/', import.meta.url);
const sample = (name: string) => readFileSync(new URL(name, SAMPLES));
const read = (text: string) => readBankFile(Buffer.from(text));

/** Faults of a file that is refused. */
function faultsOf(bytes: Uint8Array | string): string[] {
  try {
    readBankFile(Buffer.from(bytes as string));
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    const { errors } = error.problem.members as { errors: { detail: string }[] };
    return errors.map(({ detail }) => detail);
  }
  throw new Error('The file is not refused.');
}

describe('a camt.053', () => {
  it('is read with its batches, references and dates, and its sums are checked', () => {
    const { format, statements, entries } = readBankFile(sample('statement-08.xml'));
    expect(format).toBe('camt.053.001.08');
    expect(statements).toEqual([
      {
        account: 'AT611904300234573201',
        number: '2026-00231',
        currency: 'EUR',
        opening: 100_000,
        closing: 227_093,
        booked: 127_093,
        adds_up: true,
      },
    ]);
    expect(entries.map(({ id: _id, ...one }) => one)).toMatchObject([
      {
        place: 'entry 1',
        booking_date: '2026-12-08',
        value_date: '2026-12-09',
        amount: 79_343,
        currency: 'EUR',
        name: 'Nails & Co',
        iban: 'GB33BUKB20201555555555',
        text: 'Rechnung INV-0000 01 vom 01.12.2026',
        bank_reference: '2026120800000101',
        ignored: null,
      },
      {
        place: 'entry 2, detail 1',
        amount: 27_000,
        text: 'RF18INV000002 E2E-77',
        value_date: null,
      },
      {
        place: 'entry 2, detail 2',
        amount: 27_000,
        name: 'Salon Rosa',
        booking_date: '2026-12-08',
      },
      { place: 'entry 3', amount: -6_250, text: 'Kontoführung', ignored: 'Money that went out.' },
      { place: 'entry 4', amount: 1_200, ignored: 'The bank has not booked it yet.' },
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
  });

  it('of an old version, with prefixes, in Latin-1 and without cents is read, too', () => {
    const { format, statements, entries } = readBankFile(sample('statement-02.xml'));
    expect(format).toBe('camt.053.001.02');
    expect(statements).toMatchObject([
      { account: '12345678', opening: -5_000, booked: 12_000, closing: 7_000, adds_up: true },
    ]);
    expect(entries).toMatchObject([
      { amount: 7_000, currency: 'JPY', name: 'Müller & Söhne', text: 'INV 12' },
      { amount: 5_000, name: 'Rosa', text: 'INV-000013', bank_reference: null },
    ]);
  });

  it('that does not add up says so', () => {
    const text = sample('statement-08.xml').toString().replace('2270.93', '2270.92');
    expect(read(text).statements).toMatchObject([{ adds_up: false }]);
  });

  it('whose details are not the sum of their entry keeps the entry whole', () => {
    const text = sample('statement-08.xml').toString();
    const cut = text.replace('<Amt Ccy="EUR">270.00</Amt>', '<Amt Ccy="EUR">269.00</Amt>');
    expect(read(cut).entries[1]).toMatchObject({ place: 'entry 2', amount: 54_000, name: null });
  });

  it('names its entries alike in whatever order and file they come', () => {
    const text = sample('statement-08.xml').toString();
    const entries = text.match(/<Ntry>[^]*?<\/Ntry>/g) ?? [];
    const turned = text.replace(/<Ntry>[^]*<\/Ntry>/, entries.toReversed().join(''));
    const idsOf = (of: string) => read(of).entries.map(({ id }) => id);
    expect(idsOf(turned).toSorted()).toEqual(idsOf(text).toSorted());
    expect(idsOf(text.replaceAll(/<NtryRef>\d/g, '<NtryRef>9'))).toEqual(idsOf(text));
  });

  it('is refused with all of its faults, each by its entry', () => {
    const text = sample('statement-08.xml').toString();
    const wrong = text
      .replace('Ccy="EUR">793.43', 'Ccy="EUR">793.434')
      .replace('2026-12-08T11:02', '2026-02-30T11:02')
      .replace('<CdtDbtInd>DBIT', '<CdtDbtInd>DEBIT')
      .replace('Ccy="EUR">12.00', 'Ccy="EURO">12.00');
    expect(faultsOf(wrong)).toEqual([
      'entry 1: Amt: "793.434" is no amount of the currency "EUR".',
      'entry 2: BookgDt: "2026-02-30T11:02:03+01:00" is no date such as 2026-11-24.',
      'entry 3: CdtDbtInd: "DEBIT" is neither CRDT nor DBIT.',
      'entry 4: Amt: "12.00" is no amount of the currency "EURO".',
    ]);
  });

  it.each([
    ['an entity', '<!DOCTYPE x [<!ENTITY a "b">]><Document/>', 'declares entities or a DOCTYPE'],
    ['another XML', '<Document><Other/></Document>', 'No statement in it'],
    ['a file that ends too early', '<Document><BkToCstmrStmt><Stmt>', 'line 1'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>', '"UTF-16" is not read'],
  ])('with %s is refused', (_what, text, detail) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(detail)]);
  });

  it('of more than 2 MiB is refused', () => {
    const read = () => readBankFile(Buffer.alloc(FILE_BYTES_MAX + 1, ' '));
    expect(read).toThrow('too-large');
  });
});

describe('a CSV of a bank', () => {
  it('is read with English headers, commas and decimal points', () => {
    const text = `\uFEFFDate,Amount,Currency,Reference,Name,IBAN,ID
2026-12-08,"1,234.56",EUR,INV-000001,Nails & Co,GB33BUKB20201555555555,B-1
2026-12-08,-20.00,EUR,Fees,,,B-2
`;
    const { format, statements, entries } = read(text);
    expect([format, statements]).toMatchObject(['csv', [{ booked: 121_456, adds_up: null }]]);
    expect(entries).toMatchObject([
      {
        place: 'line 2',
        booking_date: '2026-12-08',
        amount: 123_456,
        text: 'INV-000001',
        name: 'Nails & Co',
        iban: 'GB33BUKB20201555555555',
        bank_reference: 'B-1',
        ignored: null,
      },
      { place: 'line 3', amount: -2_000, ignored: 'Money that went out.' },
    ]);
  });

  it('is read with German headers behind lines about the account, as Windows writes it', () => {
    const text = `"Konto";"Girokonto"
""
"Auftragskonto";"Buchungstag";"Valutadatum";"Verwendungszweck";"Kundenreferenz (End-to-End)";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"
"DE89370400440532013000";"08.12.26";"09.12.26";"Rechnung
INV-000002";"E2E 1";"Müller GmbH";"DE02";"1.270,00";"EUR";"Umsatz gebucht"
"DE89370400440532013000";"08.12.2026";"";"später";"";"Rosa";"";"5,00";"EUR";"Umsatz vorgemerkt"
`;
    const { statements, entries } = readBankFile(Buffer.from(text, 'latin1'));
    expect(statements).toMatchObject([{ account: 'DE89370400440532013000', booked: 127_000 }]);
    expect(entries).toMatchObject([
      {
        amount: 127_000,
        value_date: '2026-12-09',
        text: 'Rechnung INV-000002 E2E 1',
        iban: 'DE02',
      },
      { booking_date: '2026-12-08', name: 'Rosa', ignored: 'The bank has not booked it yet.' },
    ]);
  });

  it.each([
    ['1234,56', 'EUR', 123_456],
    ['1.234,56', 'EUR', 123_456],
    ['1,234.56', 'EUR', 123_456],
    ["1'234.50", 'CHF', 123_450],
    ['1 234,5', 'EUR', 123_450],
    ['12,50-', 'EUR', -1_250],
    ['+7', 'EUR', 700],
    ['7,00 €', 'EUR', 700],
    ['1.234.567', 'EUR', 123_456_700],
    ['1,234', 'JPY', 1_234],
    ['1,234', 'KWD', 1_234],
    ['0,1', 'EUR', 10],
  ])('%s of %s are %d minor units', (amount, currency, minor) => {
    const { entries } = read(`date;amount;currency\n2026-12-08;"${amount}";${currency}\n`);
    expect(entries.map((one) => one.amount)).toEqual([minor]);
  });

  it('takes the sign from a column of its own, and the currency from the header', () => {
    const text = 'Buchung;Betrag (EUR);Soll/Haben\n08.12.2026;12,00;S\n08.12.2026;7,00;H\n';
    expect(read(text).entries).toMatchObject([
      { amount: -1_200, currency: 'EUR' },
      { amount: 700, currency: 'EUR' },
    ]);
  });

  it('is refused with all of its faults, each by its line', () => {
    const text = `date;amount;currency
12/08/2026;1,00;EUR
2026-12-08;1.234;EUR
2026-13-08;abc;EUR
2026-12-08;1,005;EUR
2026-12-08;1,00;EURO
`;
    expect(faultsOf(text)).toEqual([
      'line 2: date: "12/08/2026" is no date such as 2026-11-24 or 24.11.2026.',
      'line 3: amount: "1.234" may be thousands or a fraction: write all decimals.',
      'line 4: amount: "abc" is no amount such as 1234.56 or 1.234,56.',
      'line 4: date: "2026-13-08" is no date such as 2026-11-24 or 24.11.2026.',
      'line 5: amount: "1,005" may be thousands or a fraction: write all decimals.',
      'line 6: currency: "EURO" is no currency.',
    ]);
    expect(faultsOf('date;amount\n2026-12-08;1,00\n')[0]).toContain('No column says the currency');
    expect(faultsOf('a;b\n1;2\n')).toEqual([expect.stringContaining('No header with a date')]);
    expect(faultsOf('')).toEqual([expect.stringContaining('No header')]);
    expect(faultsOf('date,amount\n"1')).toEqual([expect.stringContaining('This is no CSV')]);
  });

  it('without references names equal entries by their order, and a later file alike', () => {
    const line = '2026-12-08;5,00;EUR;Thanks;Rosa\n';
    const head = 'date;amount;currency;reference;name\n';
    const idsOf = (lines: string) => read(head + lines).entries.map(({ id }) => id);
    const two = idsOf(line + line);
    expect(new Set(two).size).toBe(2);
    expect(idsOf(`2026-12-07;1,00;EUR;;X\n${line}${line}${line}`).slice(1, 3)).toEqual(two);
  });
});
