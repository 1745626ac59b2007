import fc from 'fast-check';
import type { Contact, InvoiceFormat, Seller, TaxCategory } from '#invoice-rules/invoice.js';
import type { Buyer } from '#invoice-rules/invoice.js';
import type { Endpoint } from '#invoice-rules/electronic-addresses.js';

// Parties who have all that a format asks for.

type Own = Pick<Seller, 'vat_id' | 'registration_id'>;

/** Sellers of countries with rules of their own in Peppol, and of others. */
const SELLERS: Readonly<Record<string, Own>> = {
  AT: { vat_id: 'ATU12345675', registration_id: 'FN 123456 a' },
  DE: { vat_id: 'DE123456788', registration_id: 'HRB 123456 B' },
  DK: { vat_id: 'DK12345678', registration_id: '12345678' },
  FR: { vat_id: 'FR12345678901', registration_id: '123 456 789' },
  GB: { vat_id: 'GB980780684', registration_id: '1234567' },
  IS: { vat_id: 'IS12345', registration_id: '1234567890' },
  IT: { vat_id: 'IT00743110157', registration_id: 'MI-123456' },
  NL: { vat_id: 'NL123456789B01', registration_id: '12345678' },
  NO: { vat_id: 'NO974760673MVA', registration_id: '974760673' },
  SE: { vat_id: 'SE556036079301', registration_id: '5560360793' },
};
const BUYERS = ['AT', 'DE', 'DK', 'FR', 'HK', 'NL', 'NO', 'SE', 'US'];
/** Town of an address that had none in its own country. */
const TOWN = { city: 'Wien', postcode: '1010' };
/** Of the Peppol network; each has its check digits. */
const ENDPOINTS: readonly Endpoint[] = [
  { scheme: '0007', id: '5560360793' },
  { scheme: '0088', id: '5790000436057' },
  { scheme: '0151', id: '51824753556' },
  { scheme: '0184', id: '12345678' },
  { scheme: '0192', id: '974760673' },
  { scheme: '0204', id: '991-12345-67' },
  { scheme: '0208', id: '0202239951' },
  { scheme: '9930', id: 'DE123456788' },
];
const CONTACT: Contact = { name: 'Accounting & Co', phone: '+49 30 123456' };
const EMAIL = { email: 'ask@popindex.example' };

/** Parties that vary. */
export function anyPartiesOf() {
  return fc.record({
    sellerIn: fc.constantFrom(...Object.keys(SELLERS)),
    buyerIn: fc.constantFrom(...BUYERS),
    from: fc.constantFrom(...ENDPOINTS),
    to: fc.constantFrom(...ENDPOINTS),
    hasEmail: fc.boolean(),
    hasBic: fc.boolean(),
    hasOrder: fc.boolean(),
    isAtHome: fc.boolean(),
  });
}

type Parties = ReturnType<typeof anyPartiesOf> extends fc.Arbitrary<infer Value> ? Value : never;

interface Named {
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly category: TaxCategory;
  readonly rate: number;
}

/** The same with parties who have all that a format asks for. */
export function inFormat<Terms extends Named>(
  format: InvoiceFormat,
  terms: Terms,
  parties: Parties,
): Terms {
  const { sellerIn, from, to, hasEmail, hasBic, hasOrder, isAtHome } = parties;
  const hasHome = isAtHome && sellerIn !== 'IS';
  const { seller, buyer } = terms;
  const country = hasHome ? sellerIn : parties.buyerIn;
  const { line1 } = buyer.address;
  const isWhole = format === 'xrechnung-3.0' || country !== 'HK';
  const contact = hasEmail ? { ...CONTACT, ...EMAIL } : CONTACT;
  const references = hasOrder ? { purchase_order: 'PO-1' } : {};
  return {
    ...terms,
    // Sweden has no others.
    rate: sellerIn === 'SE' ? 25 : terms.rate,
    seller: {
      ...seller,
      ...SELLERS[sellerIn],
      address: { ...TOWN, ...seller.address, country: sellerIn },
      iban: 'DE89370400440532013000',
      ...(hasBic && { bic: 'COBADEFFXXX' }),
      contact,
      endpoint: from,
    },
    buyer: {
      ...buyer,
      address: isWhole ? { ...TOWN, ...buyer.address, country } : { line1, country },
      buyer_reference: '04011000-1234512345-06',
      ...references,
      contact,
      ...(format === 'xrechnung-3.0' && hasEmail ? {} : { endpoint: to }),
      invoice_format: format,
    },
  };
}
