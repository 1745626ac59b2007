import { DEFAULT_ACCOUNTS } from '#invoice-rules/ledger-accounts.js';
import type { Field } from '../../form/fields.js';

const LEDGERS = Object.entries(DEFAULT_ACCOUNTS).map(([ledger, code], index): Field => ({
  name: `ledger_accounts/${ledger}`,
  label: `Account of ${ledger.replaceAll('_', ' ')} (optional)`,
  placeholder: code,
  beside: index % 2 === 1,
}));

/** Settings of a seller's books, which no document states. */
export const BOOKKEEPING: readonly Field[] = [
  {
    name: 'breakage_percent',
    label: 'Credits expected to expire, in percent (optional)',
    kind: 'decimal',
  },
  ...LEDGERS,
  { name: 'datev/consultant', label: 'DATEV consultant (optional)', kind: 'number' },
  { name: 'datev/client', label: 'DATEV client (optional)', kind: 'number', beside: true },
  {
    name: 'datev/account_length',
    label: 'DATEV: digits of an account (optional)',
    kind: 'number',
    placeholder: '4',
  },
  {
    name: 'datev/fiscal_year_month',
    label: 'First month of the fiscal year (optional)',
    kind: 'number',
    placeholder: '1',
    beside: true,
  },
  {
    name: 'datev/tax_keys',
    label: 'DATEV tax keys (optional)',
    kind: 'pairs',
    placeholder: 'S 19=3',
  },
];
