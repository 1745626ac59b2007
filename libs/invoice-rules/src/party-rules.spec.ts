import fc from 'fast-check';
import { compactIban, isCountry, isIban, isVatId } from './party-rules.js';

test.each([
  ['DE', true],
  ['GR', true],
  ['SS', true],
  ['EL', false],
  ['UK', false],
  ['XX', false],
  ['de', false],
  ['DEU', false],
  ['', false],
])('is %p a country? %p', (code, answer) => {
  expect(isCountry(code)).toBe(answer);
});

test.each([
  ['AT611904300234573201', true],
  ['DE89370400440532013000', true],
  ['GB29NWBK60161331926819', true],
  ['MT84MALT011000012345MTLCAST001S', true],
  ['NO9386011117947', true],
  ['AT611904300234573202', false],
  ['AT61 1904 3002 3457 3201', false],
  ['at611904300234573201', false],
  ['AT61', false],
  ['', false],
])('is %p an IBAN? %p', (text, answer) => {
  expect(isIban(text)).toBe(answer);
});

test('an IBAN as people write it is the compact one', () => {
  expect(compactIban('at61 1904 3002 3457 3201')).toBe('AT611904300234573201');
});

test('one digit that is mistyped is found', () => {
  const iban = 'DE89370400440532013000';
  const at = fc.integer({ min: 2, max: iban.length - 1 });
  fc.assert(
    fc.property(at, fc.integer({ min: 1, max: 9 }), (index, by) => {
      const digit = (Number(iban[index]) + by) % 10;
      expect(isIban(iban.slice(0, index) + String(digit) + iban.slice(index + 1))).toBe(false);
    }),
  );
});

test.each([
  ['ATU12345678', true],
  ['DE123456789', true],
  ['EL123456789', true],
  ['XI123456789', true],
  ['CHE-123.456.788 MWST', true],
  ['NL123456789B01', true],
  ['FR1A123456789', true],
  ['IE1234567WA', true],
  ['UK123456789', false],
  ['123456789', false],
  ['de123456789', false],
  ['DE', false],
  ['DE1', false],
  ['DE123456789 ', false],
  ['DE12345678901234567890', false],
])('could %p be a VAT identifier? %p', (text, answer) => {
  expect(isVatId(text)).toBe(answer);
});
