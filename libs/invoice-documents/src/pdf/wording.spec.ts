import type { Language } from '#invoice-rules/invoice.js';
import { isCountry, printedIban } from '#invoice-rules/party-rules.js';
import { sampleCreditNote } from '../sample-documents.suite.js';
import { wordingOf } from './wording.js';

const english = wordingOf();

test.each([
  [0, 'EUR', '0.00'],
  [-5, 'EUR', '-0.05'],
  [123456789, 'EUR', '1,234,567.89'],
  [-100000, 'EUR', '-1,000.00'],
  [1234567, 'JPY', '1,234,567'],
  [1234567, 'KWD', '1,234.567'],
])('%d minor units of %s are %s', (minor, currency, text) => {
  expect(english.money(minor, currency)).toBe(text);
  expect(english.moneyOf(minor, currency)).toBe(`${currency} ${text}`);
});

test.each<[Language, string, string, string, string]>([
  ['en', 'EUR 1,234.56', '8.875', '1 October 2026', '2 October 2026'],
  ['de', '1.234,56 EUR', '8,875', '1. Oktober 2026', '2. Oktober 2026'],
  ['fr', '1 234,56 EUR', '8,875', '1er octobre 2026', '2 octobre 2026'],
])('in %s numbers and dates are written as people write them', (language, money, rate, ...days) => {
  const wording = wordingOf(language);
  expect(wording.moneyOf(123456, 'EUR').replaceAll('\u00a0', ' ')).toBe(money);
  expect(wording.decimal(8.875)).toBe(rate);
  expect([wording.longDate('2026-10-01'), wording.longDate('2026-10-02')]).toEqual(days);
});

test.each<[Language, string, string, string]>([
  ['en', '2026-10-06', '2026-10-12', '6–12 Oct'],
  ['en', '2026-09-29', '2026-10-05', '29 Sep–5 Oct'],
  ['en', '2026-10-31', '2026-10-31', '31 Oct'],
  ['de', '2026-09-29', '2026-10-05', '29. Sept.–5. Okt.'],
  ['fr', '2026-10-06', '2026-10-12', '6–12 oct.'],
])('in %s a week from %s to %s is %s', (language, from, to, text) => {
  expect(wordingOf(language).shortSpan(from, to)).toBe(text);
});

test.each<[Language, string, string]>([
  ['en', 'Denmark', 'Austria'],
  ['de', 'Dänemark', 'Österreich'],
  ['fr', 'Danemark', 'Autriche'],
])('in %s countries have their names', (language, denmark, austria) => {
  const wording = wordingOf(language);
  expect([wording.country('DK'), wording.country('AT')]).toEqual([denmark, austria]);
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((one) => letters.map((other) => one + other)).filter(isCountry);
  expect(codes.filter((code) => wording.country(code) === code)).toEqual([]);
});

test('counts and bank accounts are written in groups', () => {
  expect(english.grouped(-1234567)).toBe('-1,234,567');
  expect(printedIban('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00');
});

test.each([
  [undefined, 'To be set off against INV-000001'],
  [{ set_off: 20_706, refund: 0 }, 'To be set off against INV-000001'],
  [{ set_off: 0, refund: 20_706 }, 'To be refunded, because INV-000001 was paid'],
  [
    { set_off: 100_000, refund: 5 },
    'EUR 1,000.00 to be set off against INV-000001, EUR 0.05 to be refunded',
  ],
])('a credit note that is settled as %j says: %s', (settlement, text) => {
  expect(english.settlement({ ...sampleCreditNote(), ...(settlement && { settlement }) })).toBe(
    text,
  );
});
