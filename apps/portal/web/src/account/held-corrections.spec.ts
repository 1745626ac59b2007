import { correctionsOf } from './held-corrections.js';

const reason = (party: 'buyer' | 'seller' | 'document', pointer: string) => ({
  party,
  pointer,
  detail: `${party}${pointer}`,
});

test('what a manager fills in is named as in the form', () => {
  const pointers = ['/name', '/address/line1', '/address/country', '/vat_id', '/endpoint'];
  expect(correctionsOf(pointers.map((pointer) => reason('buyer', pointer)))).toEqual({
    fields: ['Name on invoices', 'Street', 'Country', 'VAT id', 'Electronic address'],
    others: [],
  });
});

test('the tax, the seller and the document are left to whoever runs the service', () => {
  const reasons = [
    reason('buyer', '/tax'),
    reason('buyer', '/tax/category'),
    reason('seller', '/address/line1'),
    reason('document', '/month'),
  ];
  expect(correctionsOf(reasons)).toEqual({
    fields: [],
    others: reasons.map(({ detail }) => detail),
  });
});
