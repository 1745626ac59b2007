import { isNorwegian, isPeppolAddress, isSwedish } from './electronic-addresses.js';
import { currenciesWithoutXml, type DocumentFacts, type Missing } from './missing.js';
import { requiredParts } from './postal-addresses.js';
import { endpointOf, isWithin } from './profiles.js';

/** A rule of a profile beyond EN 16931: its identifiers there, the missing fact, and its check. */
export type ProfileRule = readonly [
  rules: string,
  party: Missing['party'],
  pointer: string,
  detail: string,
  holds: (document: DocumentFacts) => boolean,
];

function countryOf({ address }: { readonly address?: { readonly country?: string } }) {
  return address?.country;
}

/** Where Peppol takes a seller to be: by its VAT identifier, else by its address. */
function taxedIn({ seller }: DocumentFacts): string | undefined {
  return seller.vat_id?.slice(0, 2) ?? countryOf(seller);
}

function isOnlyOf(country: string, holds: ProfileRule[4]): ProfileRule[4] {
  return (document) => countryOf(document.seller) !== country || holds(document);
}

/** Rules of XRechnung, and of Peppol between two German parties. */
const GERMAN: readonly ProfileRule[] = [
  [
    'BR-DE-1 DE-R-001',
    'seller',
    '/iban',
    "The seller's IBAN: it has to be said how to pay.",
    ({ seller }) => Boolean(seller.iban),
  ],
  [
    'BR-DE-2 BR-DE-5 DE-R-002 DE-R-005',
    'seller',
    '/contact/name',
    "The name of the seller's contact.",
    ({ seller }) => Boolean(seller.contact?.name),
  ],
  [
    'BR-DE-6 BR-DE-27 DE-R-006 DE-R-027',
    'seller',
    '/contact/phone',
    "The telephone number of the seller's contact, of three digits at least.",
    ({ seller }) => /(?:\d\D*){3}/.test(seller.contact?.phone ?? ''),
  ],
  [
    'BR-DE-7 DE-R-007',
    'seller',
    '/contact/email',
    "The e-mail address of the seller's contact.",
    ({ seller }) => Boolean(seller.contact?.email ?? seller.email),
  ],
  [
    'BR-DE-15 DE-R-015',
    'buyer',
    '/buyer_reference',
    "The buyer's reference, which authorities call Leitweg-ID.",
    ({ buyer }) => Boolean(buyer.buyer_reference),
  ],
];

/** A part of an address that the country of the address does without. */
function partOfAddress(
  rules: string,
  party: 'seller' | 'buyer',
  part: 'city' | 'postcode',
  isAsked: ProfileRule[4] = () => true,
): ProfileRule {
  return [
    rules,
    party,
    `/address/${part}`,
    `The ${party}'s ${part}, or a format that does without it.`,
    (document) => {
      const { address } = document[party];
      const isRequired = requiredParts(address?.country).includes(part);
      return isRequired || Boolean(address?.[part]) || !isAsked(document);
    },
  ];
}

const WRITTEN: ProfileRule = [
  'BR-DEC BR-CL-03 BR-CL-04 BR-CL-05',
  'buyer',
  '/invoice_format',
  'A format that can state the currency, and the one in which tax is owed: this one cannot.',
  (document) => currenciesWithoutXml(document).length === 0,
];

const XRECHNUNG: readonly ProfileRule[] = [
  WRITTEN,
  ...GERMAN,
  partOfAddress('BR-DE-3', 'seller', 'city'),
  partOfAddress('BR-DE-4', 'seller', 'postcode'),
  partOfAddress('BR-DE-8', 'buyer', 'city'),
  partOfAddress('BR-DE-9', 'buyer', 'postcode'),
  [
    'PEPPOL-EN16931-R020',
    'seller',
    '/endpoint',
    "The seller's electronic address.",
    ({ seller }) => endpointOf(seller) !== undefined,
  ],
  [
    'PEPPOL-EN16931-R010',
    'buyer',
    '/endpoint',
    "The buyer's electronic address.",
    ({ buyer }) => endpointOf(buyer) !== undefined,
  ],
];

const SWEDISH_RATES: readonly number[] = [6, 12, 25];

/** Peppol's rules for sellers in single countries. */
const NATIONAL: readonly ProfileRule[] = [
  ...GERMAN.map(([rules, party, pointer, detail, holds]): ProfileRule => [
    rules,
    party,
    pointer,
    detail,
    (document) => !isWithin('DE', document) || holds(document),
  ]),
  [
    'DK-R-002 DK-R-014 PEPPOL-COMMON-R042',
    'seller',
    '/registration_id',
    "The seller's CVR number of eight digits.",
    isOnlyOf('DK', ({ seller }) => /^(?:DK)?\d{8}$/.test(seller.registration_id ?? '')),
  ],
  [
    'IS-R-002',
    'seller',
    '/registration_id',
    "The seller's kennitala of ten digits.",
    isOnlyOf('IS', ({ seller }) => /^\d{10}$/.test(seller.registration_id ?? '')),
  ],
  partOfAddress('IS-R-003', 'seller', 'postcode', ({ seller }) => countryOf(seller) === 'IS'),
  partOfAddress('IT-R-003', 'seller', 'city', (document) => taxedIn(document) === 'IT'),
  partOfAddress('IT-R-004', 'seller', 'postcode', (document) => taxedIn(document) === 'IT'),
  [
    'IS-R-004',
    'buyer',
    '/invoice_format',
    'Another format: Peppol asks for the kennitala of an Icelandic buyer, which is not kept.',
    (document) => !isWithin('IS', document),
  ],
  [
    'NL-R-003',
    'seller',
    '/registration_id',
    "The seller's KVK number of eight digits, or its OIN of twenty.",
    isOnlyOf('NL', ({ seller: { registration_id: id } }) =>
      /^(?:\d{8}|\d{20})$/.test(id ?? '00000000'),
    ),
  ],
  [
    'NL-R-007',
    'seller',
    '/iban',
    "The seller's IBAN: it has to be said how to pay.",
    isOnlyOf('NL', ({ seller }) => Boolean(seller.iban)),
  ],
  [
    'NO-R-001',
    'seller',
    '/vat_id',
    "The seller's VAT identifier: NO, the number of the organization, and MVA.",
    ({ seller: { vat_id: id = '' } }) =>
      !id.startsWith('NO') || (/^NO\d{9}MVA$/.test(id) && isNorwegian(id.slice(2, -3))),
  ],
  [
    'SE-R-001 SE-R-002',
    'seller',
    '/vat_id',
    "The seller's VAT identifier: SE and twelve digits.",
    isOnlyOf(
      'SE',
      ({ seller: { vat_id: id = '' } }) => !id.startsWith('SE') || /^SE\d{12}$/.test(id),
    ),
  ],
  [
    'SE-R-003 SE-R-004 SE-R-013',
    'seller',
    '/registration_id',
    "The number of the seller's organization: ten digits that fit.",
    isOnlyOf('SE', ({ seller: { registration_id: id } }) => id === undefined || isSwedish(id)),
  ],
  [
    'SE-R-006',
    'buyer',
    '/tax/rate_percent',
    'A Swedish rate of tax: 6, 12 or 25 percent.',
    isOnlyOf('SE', ({ tax_breakdown: rows, seller }) =>
      rows.every(
        ({ category, rate_percent: rate }) =>
          category !== 'S' || !seller.vat_id?.startsWith('SE') || SWEDISH_RATES.includes(rate),
      ),
    ),
  ],
  [
    'GR-R-001 GR-R-004',
    'buyer',
    '/invoice_format',
    'Another format: Peppol asks Greek sellers for numbers of myDATA, which are not kept.',
    (document) =>
      !['EL', 'GR'].includes(taxedIn(document) ?? '') && countryOf(document.seller) !== 'GR',
  ],
];

const PEPPOL: readonly ProfileRule[] = [
  WRITTEN,
  [
    'PEPPOL-EN16931-R020 PEPPOL-EN16931-CL008',
    'seller',
    '/endpoint',
    "The seller's address in the Peppol network.",
    ({ seller }) => isPeppolAddress(seller.endpoint),
  ],
  [
    'PEPPOL-EN16931-R010 PEPPOL-EN16931-CL008',
    'buyer',
    '/endpoint',
    "The buyer's address in the Peppol network.",
    ({ buyer }) => isPeppolAddress(buyer.endpoint),
  ],
  [
    'PEPPOL-EN16931-R003',
    'buyer',
    '/buyer_reference',
    "The buyer's reference, or its purchase order.",
    ({ buyer }) => Boolean(buyer.buyer_reference ?? buyer.purchase_order),
  ],
  ...NATIONAL,
];

const RULES: Readonly<Record<string, readonly ProfileRule[]>> = {
  'peppol-bis-3': PEPPOL,
  'xrechnung-3.0': XRECHNUNG,
};

/** Facts that a document's format asks for beyond EN 16931, and that it lacks. */
export function missingForFormat(document: DocumentFacts): Missing[] {
  const rules = RULES[document.buyer.invoice_format ?? 'en16931'] ?? [];
  return rules.flatMap(([, party, pointer, detail, holds]) =>
    holds(document) ? [] : [{ party, pointer, detail }],
  );
}
