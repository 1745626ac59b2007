import { BUYER_ADDRESS, PURCHASES } from '../../account/party-fields.js';
import { TAX_NAMES } from '../../account/tax-words.js';
import type { Field } from '../../form/fields.js';

export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'KRW', 'SEK', 'PLN'];

/** Members of an account that operators alone see. */
const OWN_SYSTEM: readonly Field[] = [
  {
    name: 'external_id',
    label: 'External id (optional)',
    description: 'Its id in a system of yours.',
    nullable: true,
  },
  {
    name: 'metadata',
    label: 'Metadata (optional)',
    kind: 'pairs',
    placeholder: 'crm=4711',
    description: 'Texts of yours as name=text, each ended by Enter.',
    beside: true,
  },
];

const RECEIPTS: Field = {
  name: 'receipts',
  label: 'Signed receipts',
  kind: 'flag',
  description: 'Every metered answer carries one, asked for or not.',
};

export const NEW_ACCOUNT: readonly Field[] = [
  { name: 'name', label: 'Name' },
  {
    name: 'currency',
    label: 'Currency',
    kind: 'select',
    options: CURRENCIES.map((code) => ({ value: code, label: code })),
  },
  {
    name: 'overdraft_credits',
    label: 'Overdraft in credits',
    kind: 'number',
    description: 'How far the balance may go below zero.',
    placeholder: '0',
    beside: true,
  },
  {
    name: 'low_balance_credits',
    label: 'Warn below',
    kind: 'number',
    description: 'Credits at which the balance counts as low.',
  },
  {
    name: 'test_clock',
    label: 'Test clock',
    kind: 'moment',
    description: 'Makes a test account that lives at this moment.',
    beside: true,
  },
  ...OWN_SYSTEM.map(({ nullable: _nullable, ...field }) => field),
  RECEIPTS,
];

export const TERMS: readonly Field[] = [
  { name: 'name', label: 'Name' },
  {
    name: 'overdraft_credits',
    label: 'Overdraft in credits',
    kind: 'number',
    description: 'Empty: no limit.',
    nullable: true,
  },
  {
    name: 'low_balance_credits',
    label: 'Warn below',
    kind: 'number',
    description: 'Empty: never.',
    nullable: true,
    beside: true,
  },
  {
    name: 'rate_card',
    label: 'Rate card of its own',
    kind: 'number',
    description: 'A version; empty: the card of each window.',
    nullable: true,
  },
  ...OWN_SYSTEM,
  RECEIPTS,
  { name: 'reason', label: 'Reason (optional)' },
];

/** Metadata as the service changes it: what is no longer there has to be named. */
export function changedMetadata(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | null>> {
  const none = Object.keys(before).map((name) => [name, null] as const);
  return { ...Object.fromEntries(none), ...after };
}

export const RATE_LIMIT: readonly Field[] = [
  { name: 'rate_limit/per_second', label: 'Calls a second', kind: 'number' },
  { name: 'rate_limit/burst', label: 'In a burst', kind: 'number', beside: true },
  { name: 'reason', label: 'Reason (optional)' },
];

const TAXES = Object.entries(TAX_NAMES).map(([value, label]) => ({ value, label }));

export function taxFields(tax: string, label: string): readonly Field[] {
  return [
    { name: `${tax}/category`, label, kind: 'select', options: TAXES },
    { name: `${tax}/rate_percent`, label: 'Rate in percent', kind: 'decimal', beside: true },
    { name: `${tax}/reason`, label: 'Why no tax is due (optional)' },
  ];
}

export function planFields(currency: string): readonly Field[] {
  return [
    { name: 'plan/monthly_fee', label: 'Monthly fee, net', kind: 'money', currency },
    { name: 'plan/included_credits', label: 'Included credits', kind: 'number', beside: true },
    {
      name: 'plan/price_per_1000_credits',
      label: 'Per 1,000 credits beyond',
      kind: 'money',
      currency,
    },
    ...taxFields('plan/tax', 'Tax'),
    { name: 'reason', label: 'Reason of the change (optional)' },
  ];
}

export function grantFields(currency: string): readonly Field[] {
  return [
    { name: 'credits', label: 'Credits', kind: 'number' },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      options: [
        { value: 'purchased', label: 'purchased' },
        { value: 'promotional', label: 'promotional' },
      ],
      beside: true,
    },
    {
      name: 'price',
      label: 'Price, net',
      kind: 'money',
      currency,
      description: '0 where they cost nothing. Free credits are promotional.',
      appliesTo: ({ kind }) => kind !== 'promotional',
    },
    { name: 'expires_at', label: 'Expires (optional)', kind: 'moment' },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'number',
      placeholder: '100',
      description: 'Lower is drawn first.',
      beside: true,
    },
    { name: 'note', label: 'Note (optional)' },
  ];
}

export const ADJUSTMENT: readonly Field[] = [
  {
    name: 'credits',
    label: 'Credits',
    kind: 'number',
    description: 'Above zero gives, below zero takes.',
  },
  { name: 'reason', label: 'Reason', description: 'Stands on the invoice.' },
  {
    name: 'call_id',
    label: 'Call that is given back (optional)',
    description: 'At most once, and at most what it was charged.',
  },
];

/** All of its charge: as credits, or by a credit note as far as it was billed. */
export const GIVE_BACK: readonly Field[] = [
  {
    name: 'reason',
    label: 'Reason',
    description: 'Kept with the change; a credit note prints it.',
  },
];

export const BUDGET: readonly Field[] = [
  {
    name: 'period',
    label: 'Period',
    kind: 'select',
    options: [
      { value: 'month', label: 'Month' },
      { value: 'window', label: 'Window (Tuesday week)' },
    ],
  },
  { name: 'limit_credits', label: 'Limit in credits', kind: 'number', beside: true },
  {
    name: 'action',
    label: 'At the limit',
    kind: 'select',
    options: [
      { value: 'alert', label: 'only alert' },
      { value: 'block', label: 'refuse calls that would exceed it' },
    ],
  },
  {
    name: 'thresholds',
    label: 'Alert at (percent)',
    kind: 'numbers',
    description: 'Enter adds one.',
    beside: true,
  },
  {
    name: 'notify/emails',
    label: 'E-mail to (optional)',
    kind: 'words',
    description: 'Enter adds an address.',
  },
];

export const API_KEY: readonly Field[] = [
  { name: 'label', label: 'Label', placeholder: 'Nightly report' },
  {
    name: 'scopes',
    label: 'May',
    kind: 'checks',
    options: [
      { value: 'data', label: 'Pull data' },
      { value: 'account:read', label: 'Read the account' },
      {
        value: 'account:write',
        label: 'Change the account: budgets, webhooks, disputes, rotation of keys',
      },
    ],
  },
  { name: 'expires_at', label: 'Expires (optional)', kind: 'moment' },
];

export const BUYER: readonly Field[] = [
  ...BUYER_ADDRESS,
  ...taxFields('tax', 'Tax, instead of the plan’s (optional)'),
  {
    name: 'purchases',
    label: 'Purchases',
    kind: 'select',
    placeholder: PURCHASES.at_once,
    options: [{ value: 'monthly', label: PURCHASES.monthly }],
  },
];
