import { ask } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ reads: true });
});
afterAll(() => api.close());

function get(url: string, more: Record<string, string> = {}) {
  const account = api.account();
  const headers = { ...bearer(api.key(account)), ...more };
  return { account, answer: ask(api, { url, headers }) };
}

test('a statement is that of the key’s own account, kept by no cache', async () => {
  const { account, answer } = get('/v1/account/statements/2026-11');
  const seen = await answer;
  expect(seen.json()).toMatchObject({ account_id: account.id, month: '2026-11', final: false });
  expect(seen.header('cache-control')).toBe('no-store');
});

test('as CSV the credits of all lines but the last add up to the closing balance', async () => {
  const { account, answer } = get('/v1/account/statements/2026-11', { accept: 'text/csv' });
  expect((await answer).body.split('\r\n')).toEqual([
    'type,day,at,grant_id,kind,call_id,reason,calls,credits',
    'opening,2026-11-01,,,,,,,0',
    `grant,,2026-11-21T12:00:00.000Z,${account.grantId},purchased,,,,1000000`,
    'billed,,,,,,,,0',
    'closing,2026-11-30,,,,,,,1000000',
    '',
  ]);
});

test('a month without a statement is not found, and a wrong month is reported with all other faults', async () => {
  expect((await get('/v1/account/statements/2026-10').answer).status).toBe(404);
  const wrong = await get('/v1/account/statements/2026-13?x=1').answer;
  const { parameters } = wrong.json() as { parameters: { name: string }[] };
  expect([wrong.status, parameters.map(({ name }) => name)]).toEqual([400, ['month', 'x']]);
});

test('a key that may not read the account reads no statement', async () => {
  const account = api.account();
  const headers = bearer(api.key(account, { scopes: ['data'] }));
  const seen = await ask(api, { url: '/v1/account/statements/2026-11', headers });
  expect(seen.status).toBe(403);
});
