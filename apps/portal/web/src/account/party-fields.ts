import type { InvoiceFormat, Language } from '#invoice-rules/invoice.js';
import { isCountry } from '#invoice-rules/party-rules.js';
import { requiredParts, type AddressPart } from '#invoice-rules/postal-addresses.js';
import type { Field, FormValues } from '../form/fields.js';

/** Languages of documents, by their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
};

/** True once a country is chosen whose addresses do without a part. */
function doesWithout(part: AddressPart) {
  return ({ 'address/country': country }: FormValues) =>
    typeof country === 'string' && isCountry(country) && !requiredParts(country).includes(part);
}

/** Where a party of an invoice sits. */
export const ADDRESS: readonly Field[] = [
  { name: 'address/line1', label: 'Street' },
  { name: 'address/line2', label: 'Further line (optional)', beside: true },
  { name: 'address/postcode', label: 'Postcode', isOptional: doesWithout('postcode') },
  { name: 'address/city', label: 'City', isOptional: doesWithout('city'), beside: true },
  { name: 'address/region', label: 'State or region (optional)' },
  { name: 'address/country', label: 'Country', placeholder: 'DE', beside: true },
];

/** Whom to ask, and where XML documents go. */
export const CONTACT: readonly Field[] = [
  { name: 'contact/name', label: 'Contact (optional)' },
  { name: 'contact/phone', label: 'Telephone (optional)', beside: true },
  { name: 'contact/email', label: 'E-mail of the contact (optional)' },
  {
    name: 'endpoint/scheme',
    label: 'Electronic address: scheme (optional)',
    placeholder: '0088',
    description: 'A code of the list EAS; without one it is the e-mail address.',
  },
  { name: 'endpoint/id', label: 'Electronic address (optional)', beside: true },
];

/** Formats of XML documents by their names. */
export const FORMATS: Readonly<Record<InvoiceFormat, string>> = {
  en16931: 'EN 16931',
  'peppol-bis-3': 'Peppol BIS Billing 3',
  'xrechnung-3.0': 'XRechnung 3.0',
  'factur-x': 'Factur-X',
};

/** When purchases are invoiced. */
export const PURCHASES = { at_once: 'each at once', monthly: 'on the invoice of their month' };

/** Whom invoices are addressed to. */
export const BUYER_ADDRESS: readonly Field[] = [
  { name: 'name', label: 'Name on invoices' },
  ...ADDRESS,
  { name: 'email', label: 'E-mail' },
  { name: 'vat_id', label: 'VAT id (optional)', placeholder: 'DE123456788', beside: true },
  { name: 'buyer_reference', label: 'Buyer’s reference (optional)' },
  { name: 'purchase_order', label: 'Purchase order (optional)', beside: true },
  {
    name: 'language',
    label: 'Language of documents',
    kind: 'select',
    placeholder: LANGUAGES.en,
    options: Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
  },
  ...CONTACT,
  {
    name: 'invoice_format',
    label: 'Format of XML documents',
    kind: 'select',
    placeholder: FORMATS.en16931,
    options: Object.entries(FORMATS).map(([value, label]) => ({ value, label })),
  },
];
