import { BAD_REQUESTS } from '../test-adapters/bad-requests.js';
import type { TestAccount } from '../test-adapters/test-accounts.js';
import { ask } from '../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

describe('a bad request', () => {
  let api: TestApi;
  let account: TestAccount;
  let authorization: string;
  beforeAll(async () => {
    api = await createTestApi({ reads: true });
    account = api.account();
    ({ authorization } = bearer(api.key(account)));
  });
  afterAll(() => api.close());

  it.each(BAD_REQUESTS)('with %s is %i %s', async (_what, status, code, { asked, faults }) => {
    const answer = await ask(api, { ...asked, headers: { authorization, ...asked.headers } });
    if (answer.method !== 'HEAD') expect(answer.json()['code']).toBe(code);
    expect(answer.status).toBe(status);
    expect([await account.calls(), await account.balance(), api.log]).toEqual([[], 1_000_000, []]);
    if (faults === undefined) return;
    const members = answer.json() as { parameters?: unknown; errors?: unknown };
    expect(members.parameters ?? members.errors).toMatchObject(faults as object[]);
  });

  it('has more than eighty forms here', () => {
    expect(BAD_REQUESTS.length).toBeGreaterThan(80);
  });

  it.each(['/v1/account/', '/v1/catalog/', '/v1/latest/cat2/trends/top5/popindex/us/skincare/'])(
    'with a slash at the end learns that it is the slash: %s',
    async (url) => {
      const other = await ask(api, {
        url: `${url.replace('v1', 'v2')}`,
        headers: { authorization },
      });
      const answer = await ask(api, { url, headers: { authorization } });
      expect([answer.json()['detail'], other.json()['detail']]).toEqual([
        'There is nothing at this address, but at the one without the slash at its end.',
        'There is nothing at this address; /docs lists every path.',
      ]);
    },
  );

  it('names all that is wrong at once: path, query and headers', async () => {
    const url = '/v1/2026w99/cat9/trends/top9/popindex/xx/A?q=1';
    const headers = { authorization, 'credits-max': 'x', 'idempotency-key': ' ' };
    const answer = await ask(api, { url, headers });
    const parameters = answer.json()['parameters'] as unknown as { in: string; name: string }[];
    expect(parameters.map((one) => `${one.in} ${one.name}`).toSorted()).toEqual([
      'header Credits-Max',
      'header Idempotency-Key',
      'path category_name',
      'path level',
      'path limit',
      'path region',
      'path window',
      'query q',
    ]);
  });
});
