import { answerText, refusalText, tableText } from './render.js';

test('a list is a table with numbers on the right', () => {
  const items = [
    { id: 'a', credits: 100_000, expires_at: null, test: false },
    { id: 'bb', credits: -5, expires_at: '2026-12-01T00:00:00Z', test: true },
  ];
  expect(tableText(['id', 'credits', 'expires_at', 'test'], items).split('\n')).toEqual([
    'id  credits  expires at            test',
    'a   100,000  -                     no',
    'bb       -5  2026-12-01T00:00:00Z  yes',
  ]);
});

test('a column may be a member of an object in the row', () => {
  const items = [
    { number: 'INV-000001', currency: 'EUR', state: { due: 1_200, status: 'overdue' } },
  ];
  expect(answerText({ items, next: null }, ['number', 'state.due', 'state.status'])).toBe(
    'number            due  status\nINV-000001  EUR 12.00  overdue',
  );
});

test('an empty list says so, and one that goes on says how', () => {
  expect(answerText({ items: [], next: null }, ['id'])).toBe('There are none.');
  expect(answerText({ items: [{ id: 1 }], next: 'c7' }, ['id'])).toMatch(/--after c7$/);
});

test('one thing is a line a member, with tables of what it lists', () => {
  const value = {
    id: 'x',
    scopes: ['data', 'account:read'],
    limit: { per_second: 2_000, burst: null },
    grants: [{ left: 7 }],
  };
  expect(answerText(value, undefined).split('\n')).toEqual([
    'id      x',
    'scopes  data, account:read',
    'limit   per second: 2,000, burst: -',
    '',
    'grants:',
    'left',
    '   7',
  ]);
});

test('members of an object with objects or lists in it are lines and tables of their own', () => {
  const value = {
    seller: { name: 'Index GmbH', address: { city: 'Wien', country: 'AT' } },
    rules: { added: [{ name: 'all', match: { limit: 'top5' } }], reordered: false },
  };
  expect(answerText(value, undefined).split('\n')).toEqual([
    'seller name      Index GmbH',
    'seller address   city: Wien, country: AT',
    'rules reordered  no',
    '',
    'rules added:',
    'name  match',
    'all   limit: top5',
  ]);
});

test('a name cannot move the cursor of the terminal', () => {
  const text = answerText({ name: 'a\u001b[2Jb\u202ec' }, undefined);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

test('a refusal prints each fault on a line of its own', () => {
  const errors = [
    { pointer: '/credits', detail: 'Too small' },
    { pointer: '/plan/monthly_fee', detail: 'Too small' },
    { pointer: '', detail: 'Unknown member' },
  ];
  const problem = {
    title: 'The body is wrong',
    code: 'invalid-body',
    detail: 'Two faults.',
    errors,
  };
  expect(refusalText(400, problem).split('\n')).toEqual([
    'popindex: This is wrong (400 invalid-body):',
    '  /credits: Too small',
    '  /plan/monthly_fee: Too small',
    '  body: Unknown member',
  ]);
  const names = { credits: '<credits>', plan: '--plan' };
  expect(refusalText(400, problem, names).split('\n').slice(1)).toEqual([
    '  <credits>: Too small',
    '  --plan /monthly_fee: Too small',
    '  body: Unknown member',
  ]);
  expect(refusalText(400, problem, { '': '<file>' })).toContain('  <file> /credits: Too small');
  const parameters = [{ in: 'query', name: 'status', allowed: ['active', 'closed'] }];
  expect(refusalText(400, { parameters })).toMatch(/query status: takes active, closed$/);
});

test('a sentence of the service names parameters as they were typed', () => {
  const names = { month: '--month', issued_month: '--issued-month', format: '--format' };
  const parameters = [
    { in: 'query', name: 'month', detail: 'Either `month` (of supply) or `issued_month`.' },
    { in: 'query', name: 'bank', detail: 'Only with `format=journal`.' },
  ];
  expect(refusalText(400, { parameters }, names).split('\n').slice(1)).toEqual([
    '  --month: Either --month (of supply) or --issued-month.',
    '  query bank: Only with --format journal.',
  ]);
  const conflict = { title: 'Not now', detail: 'The month of issued_month is closed.' };
  expect(refusalText(409, conflict, names)).toBe(
    'popindex: Not now (409). The month of --issued-month is closed.',
  );
});

test('a fault of the service prints the request id of its log', () => {
  const problem = { title: 'Broken', code: 'internal', instance: 'urn:uuid:0f-1e' };
  expect(refusalText(500, problem)).toBe('popindex: Broken (500 internal).\nRequest 0f-1e');
  expect(refusalText(502, {})).toBe('popindex: The service refused (502).');
});
