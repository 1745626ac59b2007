import { ADDRESS, CONTACT } from '../../account/party-fields.js';
import type { Field } from '../../form/fields.js';
import { BOOKKEEPING } from '../accounts/bookkeeping-fields.js';

/** All that is stated of the seller, as it is typed. */
export const SELLER: readonly Field[] = [
  { name: 'name', label: 'Name on invoices' },
  ...ADDRESS,
  { name: 'email', label: 'E-mail' },
  { name: 'vat_id', label: 'VAT id (optional)', placeholder: 'DE123456788', beside: true },
  { name: 'registration_id', label: 'Registration (optional)' },
  { name: 'iban', label: 'IBAN (optional)', beside: true },
  { name: 'bic', label: 'BIC (optional)' },
  { name: 'payment_days', label: 'Days to pay', kind: 'number', placeholder: '14', beside: true },
  {
    name: 'reminder_days',
    label: 'Reminders (optional)',
    kind: 'numbers',
    placeholder: '3',
    description: 'Days after the due date, each ended by Enter.',
    beside: true,
  },
  {
    name: 'packages',
    label: 'Packages of credits (optional)',
    kind: 'packages',
    placeholder: 'Starter: 100,000 for 1,200.00 USD',
    description: 'What customers can order, one a line: name, credits, price before tax.',
  },
  {
    name: 'orders',
    label: 'Orders of packages (optional)',
    kind: 'select',
    nullable: false,
    placeholder: 'No orders are taken',
    options: [
      { value: 'approve', label: 'An operator accepts each' },
      { value: 'at-once', label: 'Credits come at once' },
    ],
  },
  {
    name: 'tax_currency',
    label: 'Tax is owed in (optional)',
    placeholder: 'EUR',
    description: 'Invoices in other currencies state their tax in it too.',
  },
  ...BOOKKEEPING,
  { name: 'logo', label: 'Logo (optional)', kind: 'image', description: 'PNG or JPEG' },
  { name: 'color', label: 'Colour (optional)', placeholder: '#1f4e79', beside: true },
  {
    name: 'remittance',
    label: 'Below the payment (optional)',
    kind: 'area',
    placeholder: 'Questions about payments: +43 1 234567',
  },
  ...CONTACT,
];
