import { methodNames } from './method-names.js';

test('a method is called by its operation, its group by what the operation is about', () => {
  const ids = [
    'listBudgets',
    'replaceBudget',
    'listDeliveries',
    'resendDelivery',
    'getSeller',
    'listApiKeys',
    'issueApiKey',
  ];
  expect([...methodNames(ids).values()]).toEqual([
    'budgets.list',
    'budgets.replace',
    'deliveries.list',
    'deliveries.resend',
    'seller.get',
    'apiKeys.list',
    'apiKeys.issue',
  ]);
});

test('what there is one of has a group in the singular', () => {
  expect(methodNames(['getAccount', 'listCalls', 'explainCall']).get('getAccount')).toBe(
    'account.get',
  );
  expect(methodNames(['getAccount', 'listAccounts']).get('getAccount')).toBe('accounts.get');
});
