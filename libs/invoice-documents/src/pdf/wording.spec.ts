import { sampleCreditNote } from '../sample-documents.suite.js';
import {
  grouped,
  longDate,
  money,
  moneyOf,
  printedIban,
  settlementText,
  shortSpan,
} from './wording.js';

test.each([
  [0, 'EUR', '0.00'],
  [-5, 'EUR', '-0.05'],
  [123456789, 'EUR', '1,234,567.89'],
  [-100000, 'EUR', '-1,000.00'],
  [1234567, 'JPY', '1,234,567'],
  [1234567, 'KWD', '1,234.567'],
])('%d minor units of %s are %s', (minor, currency, text) => {
  expect(money(minor, currency)).toBe(text);
  expect(moneyOf(minor, currency)).toBe(`${currency} ${text}`);
});

test.each([
  ['2026-10-06', '2026-10-12', '6–12 Oct'],
  ['2026-09-29', '2026-10-05', '29 Sep–5 Oct'],
  ['2026-10-31', '2026-10-31', '31 Oct'],
])('a week from %s to %s is %s', (from, to, text) => {
  expect(shortSpan(from, to)).toBe(text);
});

test('numbers, dates and bank accounts are written for people', () => {
  expect(grouped(-1234567)).toBe('-1,234,567');
  expect(longDate('2026-02-01')).toBe('1 February 2026');
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
  expect(settlementText({ ...sampleCreditNote(), ...(settlement && { settlement }) })).toBe(text);
});
