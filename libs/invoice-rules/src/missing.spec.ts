import type { TaxCategory } from './invoice.js';
import { missingFor, type DocumentFacts } from './missing.js';
import { reasonsToHold } from './reasons-to-hold.js';
import { buyer, seller } from './months.suite.js';

function documentOf(category: TaxCategory, changes: Partial<DocumentFacts> = {}): DocumentFacts {
  const row = { category, rate_percent: 0, taxable: 100, tax: 0 };
  return { currency: 'EUR', seller, buyer, tax_breakdown: [row], ...changes };
}

function pointers(document: DocumentFacts): string[] {
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
    'seller/address/country',
    'buyer/address/line1',
    'buyer/address/city',
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

test.each([
  ['HK', []],
  ['IE', ['buyer/address/city']],
  ['SG', ['buyer/address/postcode']],
  ['US', ['buyer/address/city', 'buyer/address/postcode']],
])('an address in %s lacks only what its country has: %p', (country, missing) => {
  const document = documentOf('S', { buyer: { ...buyer, address: { line1: '1 Road', country } } });
  expect(pointers(document)).toEqual(missing);
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

const stated = { isTaxStated: true, heldBefore: null };

function reasons(document: DocumentFacts, facts: object = {}): string[] {
  const found = reasonsToHold(document, { ...stated, ...facts });
  return found.map(({ party, pointer }) => `${party}${pointer}`);
}

const abroad = { ...buyer, vat_id: 'IT12345678901', address: { ...buyer.address, country: 'IT' } };
const atHome = { ...abroad, address: { ...buyer.address, country: seller.address.country } };

test.each<[string, DocumentFacts, object, string[]]>([
  ['complete', documentOf('S'), {}, []],
  ['in a currency that fits no XML', documentOf('S', { currency: 'KWD' }), {}, []],
  ['reverse charge abroad', documentOf('AE', { buyer: abroad }), {}, []],
  ['reverse charge at home', documentOf('AE', { buyer: atHome }), {}, ['buyer/tax/category']],
  [
    'reverse charge without an identifier',
    documentOf('AE', { buyer: { ...abroad, vat_id: '' } }),
    {},
    ['buyer/vat_id'],
  ],
  ['untaxed without a word', documentOf('O'), { isTaxStated: false }, ['buyer/tax']],
  [
    'untaxed of a seller without a VAT identifier',
    documentOf('O', { seller: unregistered }),
    { isTaxStated: false },
    ['seller/registration_id'],
  ],
  ['behind a held one', documentOf('S'), { heldBefore: '2026-10' }, ['document/month']],
])('an invoice is held for these reasons: %s', (_name, document, facts, expected) => {
  expect(reasons(document, facts)).toEqual(expected);
});
