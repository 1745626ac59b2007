import type { InvoiceFormat, PartialBuyer, Seller } from './invoice.js';
import type { DocumentFacts } from './missing.js';
import { buyer, seller } from './months.suite.js';
import { missingForFormat } from './profile-rules.js';
import { reasonsToHold } from './reasons-to-hold.js';

const GLN = { scheme: '0088', id: '5790000436057' };
const COMPLETE_SELLER: Seller = {
  ...seller,
  iban: 'DE89370400440532013000',
  contact: { name: 'Accounting', phone: '+49 30 123456' },
  endpoint: GLN,
};
const COMPLETE_BUYER: PartialBuyer = { ...buyer, buyer_reference: 'Marketing', endpoint: GLN };

interface Changes {
  readonly seller?: Partial<Seller>;
  readonly buyer?: Partial<PartialBuyer>;
  readonly rate?: number;
  readonly currency?: string;
}

function documentOf(format: InvoiceFormat, changes: Changes): DocumentFacts {
  const { rate: rate_percent = 20, currency = 'EUR' } = changes;
  return {
    currency,
    seller: { ...COMPLETE_SELLER, ...changes.seller },
    buyer: { ...COMPLETE_BUYER, ...changes.buyer, invoice_format: format },
    tax_breakdown: [{ category: 'S', rate_percent, taxable: 100, tax: rate_percent }],
  };
}

function pointers(format: InvoiceFormat, changes: Changes = {}): string[] {
  const missing = missingForFormat(documentOf(format, changes));
  return missing.map(({ party, pointer }) => `${party}${pointer}`);
}

const NOBODY: Changes = {
  seller: { iban: undefined, contact: undefined, endpoint: undefined } as never,
  buyer: { buyer_reference: undefined, purchase_order: undefined, endpoint: undefined } as never,
};

test.each<[InvoiceFormat, string[]]>([
  ['en16931', []],
  ['factur-x', []],
  ['peppol-bis-3', ['seller/endpoint', 'buyer/endpoint', 'buyer/buyer_reference']],
  [
    'xrechnung-3.0',
    ['seller/iban', 'seller/contact/name', 'seller/contact/phone', 'buyer/buyer_reference'],
  ],
])('%s asks for %j', (format, expected) => {
  expect(pointers(format)).toEqual([]);
  expect(pointers(format, NOBODY)).toEqual(expected);
});

const DE = { ...seller.address, country: 'DE' };

/** A seller in a country, with an identifier that is wrong there and one that is right. */
const NATIONAL: readonly [
  country: string,
  pointer: string,
  wrong: Partial<Seller>,
  right: Partial<Seller>,
][] = [
  ['DK', 'registration_id', { registration_id: 'A/S' }, { registration_id: 'DK12345678' }],
  ['IS', 'registration_id', { registration_id: '1' }, { registration_id: '1234567890' }],
  ['NL', 'registration_id', { registration_id: '123' }, { registration_id: '12345678' }],
  ['NO', 'vat_id', { vat_id: 'NO974760674MVA' }, { vat_id: 'NO974760673MVA' }],
  ['SE', 'vat_id', { vat_id: 'SE1' }, { vat_id: 'SE556036079301' }],
  ['SE', 'registration_id', { registration_id: '5560360794' }, { registration_id: '5560360793' }],
];

test.each(NATIONAL)('Peppol has rules for sellers in %s: %s', (country, pointer, wrong, right) => {
  const base = { address: { ...seller.address, country }, registration_id: undefined as never };
  const found = (own: Partial<Seller>) =>
    pointers('peppol-bis-3', { seller: { ...base, vat_id: `${country}1`, ...own }, rate: 25 });
  expect(found(wrong)).toContain(`seller/${pointer}`);
  expect(found(right)).not.toContain(`seller/${pointer}`);
});

test.each<[string, Changes, string]>([
  [
    'within Germany',
    { seller: { address: DE, contact: {} }, buyer: { address: DE } },
    'seller/contact/name',
  ],
  ['of Greece', { seller: { vat_id: 'EL123456789' } }, 'buyer/invoice_format'],
  [
    'within Iceland',
    {
      seller: { address: { ...DE, country: 'IS' }, registration_id: '1234567890' },
      buyer: { address: { ...DE, country: 'IS' } },
    },
    'buyer/invoice_format',
  ],
  [
    'at no Swedish rate',
    { seller: { address: { ...DE, country: 'SE' }, vat_id: 'SE556036079301' }, rate: 20 },
    'buyer/tax/rate_percent',
  ],
  ['in dinars', { currency: 'KWD' }, 'buyer/invoice_format'],
])('Peppol refuses what is %s', (_what, changes, pointer) => {
  expect(pointers('peppol-bis-3', changes)).toContain(pointer);
  expect(pointers('en16931', changes)).toEqual([]);
});

test('a purchase order is a reference for Peppol, and an e-mail address no address of it', () => {
  const { buyer_reference: _none, ...other } = COMPLETE_BUYER;
  const ordered = { ...other, buyer_reference: undefined as never, purchase_order: 'PO-1' };
  expect(pointers('peppol-bis-3', { buyer: ordered })).toEqual([]);
  const mailed = { endpoint: { scheme: 'EM', id: 'a@b.example' } };
  expect(pointers('peppol-bis-3', { buyer: mailed })).toEqual(['buyer/endpoint']);
  expect(pointers('xrechnung-3.0', { buyer: mailed })).toEqual([]);
});

const BARE = { line1: '1 Road', country: 'HK' };

test.each<[string, InvoiceFormat, Changes, string[]]>([
  [
    'of a buyer',
    'xrechnung-3.0',
    { buyer: { address: BARE } },
    ['buyer/address/city', 'buyer/address/postcode'],
  ],
  [
    'of a seller',
    'xrechnung-3.0',
    { seller: { address: BARE } },
    ['seller/address/city', 'seller/address/postcode'],
  ],
  ['of a buyer', 'peppol-bis-3', { buyer: { address: BARE } }, []],
  [
    'of an Icelandic seller',
    'peppol-bis-3',
    {
      seller: {
        address: { ...BARE, city: 'Reykjavík', country: 'IS' },
        registration_id: '1234567890',
      },
    },
    ['seller/address/postcode'],
  ],
  [
    'of a seller who is taxed in Italy',
    'peppol-bis-3',
    { seller: { address: BARE, vat_id: 'IT00743110157' } },
    ['seller/address/city', 'seller/address/postcode'],
  ],
  [
    'of a buyer without a country',
    'xrechnung-3.0',
    { buyer: { address: { line1: '1 Road' } as never } },
    ['buyer/address/postcode'],
  ],
])('an address without a postcode %s in %s', (_whose, format, changes, expected) => {
  const found = pointers(format, changes);
  expect(found).toEqual(expected);
  expect(pointers('en16931', changes)).toEqual([]);
});

test('what a country asks for is missing once, whatever the format', () => {
  const document = documentOf('xrechnung-3.0', {
    buyer: { address: { line1: '1', country: 'DE' } },
  });
  const reasons = reasonsToHold(document, { isTaxStated: true, heldBefore: null });
  expect(reasons.map(({ pointer }) => pointer)).toEqual(['/address/city', '/address/postcode']);
});
