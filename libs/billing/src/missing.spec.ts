import type { TaxCategory } from './invoice.js';
import { missingFor, type Completable } from './missing.js';
import { buyer, seller } from './months.suite.js';

function documentOf(category: TaxCategory, changes: Partial<Completable> = {}): Completable {
  const row = { category, rate_percent: 0, taxable: 100, tax: 0 };
  return { currency: 'EUR', seller, buyer, tax_breakdown: [row], ...changes };
}

function pointers(document: Completable): string[] {
  return missingFor(document).map(({ party, pointer }) => `${party}${pointer}`);
}

test('nothing is missing where seller and buyer are filled in', () => {
  expect(missingFor(documentOf('S'))).toEqual([]);
});

test('all that is missing is listed at once', () => {
  const document = documentOf('S', { seller: {}, buyer: { name: 'Nails & Co' }, currency: 'KWD' });
  expect(pointers(document)).toEqual([
    'seller/name',
    'seller/address/line1',
    'seller/address/city',
    'seller/address/postcode',
    'seller/address/country',
    'buyer/address/line1',
    'buyer/address/city',
    'buyer/address/postcode',
    'buyer/address/country',
    'seller/vat_id',
    'document/currency',
  ]);
});

test('an empty text is as missing as an absent one', () => {
  const document = documentOf('S', { buyer: { ...buyer, name: '' } });
  expect(missingFor(document)).toEqual([
    { party: 'buyer', pointer: '/name', detail: "The buyer's name." },
  ]);
});

const { vat_id: _none, ...unregistered } = seller;

test.each([
  ['S', ['seller/vat_id']],
  ['Z', ['seller/vat_id']],
  ['E', ['seller/vat_id']],
  ['G', ['seller/vat_id']],
  ['AE', ['seller/vat_id', 'buyer/vat_id']],
  ['O', ['seller/registration_id']],
] as const)('category %s asks for %p', (category, missing) => {
  expect(pointers(documentOf(category, { seller: unregistered }))).toEqual(missing);
});

test.each([
  ['EUR', []],
  ['JPY', []],
  ['KWD', ['document/currency']],
])('a currency with three decimals fits no XML: %s', (currency, missing) => {
  expect(pointers(documentOf('S', { currency }))).toEqual(missing);
});
