import { addressOf, askedFor } from './search-address.js';
import type { Found } from '../../rest/answers.js';

const found: Found = {
  type: 'account',
  id: 'the-id',
  account_id: 'the-account',
  account_name: 'Nails & Co',
  text: 'INV-000007',
  detail: null,
};

test.each([
  ['  nails ', 'nails'],
  ['pix_live_0123456789wUe9', 'wUe9'],
  ['pix_test_0123456789abcd ', 'abcd'],
  ['pix', 'pix'],
])('for %j is asked for %j', (typed, asked) => {
  expect(askedFor(typed)).toBe(asked);
});

test.each([
  [{}, '/accounts/the-account'],
  [{ type: 'member' }, '/accounts/the-account/portal'],
  [{ type: 'api_key' }, '/accounts/the-account/keys'],
  [{ type: 'call' }, '/calls?call=the-id'],
  [{ type: 'invoice' }, '/invoices/INV-000007'],
  [{ type: 'invoice', detail: 'held' }, '/invoices/the-id'],
  [{ type: 'credit_note' }, '/accounts/the-account/invoices'],
] as const)('%j stands at %s', (members, address) => {
  expect(addressOf({ ...found, ...members })).toBe(address);
});
