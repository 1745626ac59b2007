import type { Language } from '#billing/invoice.js';
import type { Field } from '../form/fields.js';

/** Languages of documents, by their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
};

/** Where a party of an invoice sits. */
export const ADDRESS: readonly Field[] = [
  { name: 'address/line1', label: 'Street' },
  { name: 'address/line2', label: 'Further line (optional)', beside: true },
  { name: 'address/postcode', label: 'Postcode' },
  { name: 'address/city', label: 'City', beside: true },
  { name: 'address/country', label: 'Country', placeholder: 'DE', beside: true },
];

/** Whom invoices are addressed to. */
export const BUYER_ADDRESS: readonly Field[] = [
  { name: 'name', label: 'Name on invoices' },
  ...ADDRESS,
  { name: 'email', label: 'E-mail' },
  { name: 'vat_id', label: 'VAT id (optional)', placeholder: 'DE123456789', beside: true },
  { name: 'buyer_reference', label: 'Buyer’s reference (optional)' },
  { name: 'purchase_order', label: 'Purchase order (optional)', beside: true },
  {
    name: 'language',
    label: 'Language of documents',
    kind: 'select',
    placeholder: LANGUAGES.en,
    options: Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
  },
];
