import { operationsAt, type Command, type Read } from './operations.js';

interface Operations {
  readonly listGrants: (given: {
    readonly account_id: string;
    readonly kind?: string | null;
  }) => Read<unknown>;
  readonly openAccount: () => Command<unknown, unknown>;
}

const operations = operationsAt<Operations>({
  listGrants: 'GET /admin/v1/accounts/{account_id}/grants',
  openAccount: 'POST /admin/v1/accounts',
});

test('an operation takes the values of its path and its query in one object', () => {
  expect(operations.listGrants({ account_id: 'a/b', kind: 'purchased' })).toEqual({
    id: 'listGrants',
    method: 'GET',
    path: '/admin/v1/accounts/a%2Fb/grants',
    query: { kind: 'purchased' },
  });
  expect(operations.openAccount()).toMatchObject({ method: 'POST', path: '/admin/v1/accounts' });
});

test('a filter that is empty is none', () => {
  expect(operations.listGrants({ account_id: '1', kind: '' }).query).toEqual({});
});
