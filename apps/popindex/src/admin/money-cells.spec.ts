import { withMoneyTexts } from './money-cells.js';

test('money is shown with the currency of what it stands in, and credits stay numbers', () => {
  const invoice = {
    currency: 'EUR',
    total: 33_806,
    lines: [{ n: 1, credits: 420, amount: -50 }],
    state: { due: 0, status: 'paid' },
    tax_accounting: { currency: 'JPY', tax: 7_000 },
  };
  expect(withMoneyTexts(invoice)).toEqual({
    currency: 'EUR',
    total: 'EUR 338.06',
    lines: [{ n: 1, credits: 420, amount: 'EUR -0.50' }],
    state: { due: 'EUR 0.00', status: 'paid' },
    tax_accounting: { currency: 'JPY', tax: 'JPY 7000' },
  });
});

test('a balance is credits, but money beside other money', () => {
  expect(withMoneyTexts({ currency: 'EUR', balance: 500 })).toEqual({
    currency: 'EUR',
    balance: 500,
  });
  const receivables = { currency: 'EUR', owed: 500, balance: 500, entries: [] };
  expect(withMoneyTexts(receivables)).toMatchObject({ balance: 'EUR 5.00' });
});

test('without a currency nothing is money', () => {
  const run = { issued: 3, items: [{ total: 5 }], failures: null };
  expect(withMoneyTexts(run)).toEqual(run);
});
