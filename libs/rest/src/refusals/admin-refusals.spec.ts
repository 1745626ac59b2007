import { randomUUID } from 'node:crypto';
import { idOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { ADMIN_TOKEN } from '../../../../test/setup/stage-settings.js';

const stage = adminStage();
let id: string;
let keyId: string;

beforeAll(async () => {
  id = await stage.account({ test_clock: '2026-11-24T09:00:00Z' });
  keyId = idOf(await stage.post(`/accounts/${id}/api-keys`, { label: 'A' }));
});

async function positions(): Promise<readonly number[]> {
  return (await stage.log.ends()).map(({ position }) => position);
}

/** Paths as the tables write them: `{id}` is an account and `{key}` one of its API keys. */
function pathOf(template: string): string {
  return `/admin/v1${template.replace('{id}', id).replace('{key}', keyId)}`;
}

const long = (length: number): string => 'x'.repeat(length);

// A request, and the parameters that are wrong as place and name.
type ParameterRow = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, ...wrong: string[]];

const PARAMETERS: readonly ParameterRow[] = [
  ['GET', `/accounts?after=${Buffer.from('no id').toString('base64url')}`, 'query after'],
  ['GET', '/accounts?search=%00', 'query search'],
  ['GET', '/accounts?test=1', 'query test'],
  ['GET', '/accounts?limit=0&after=zzz', 'query after', 'query limit'],
  ['GET', '/accounts?limit=1001', 'query limit'],
  ['GET', '/accounts?%zz', 'query %zz'],
  ['GET', '/accounts/x?y=1', 'path account_id', 'query y'],
  ['DELETE', '/accounts/7/api-keys/8', 'path account_id', 'path key_id'],
  ['GET', '/accounts/{id}/api-keys?after=MA', 'query after'],
  ['GET', '/accounts/{id}/grants?after=LTE', 'query after'],
  ['GET', '/accounts/{id}/windows?window=2026w54', 'query window'],
  ['GET', '/accounts/{id}/windows?window=2026w7', 'query window'],
  ['GET', '/accounts/{id}/calls?from=2026-02-30', 'query from'],
  ['GET', '/accounts/{id}/calls?to=2026-11-24T10:00', 'query to'],
  ['GET', '/accounts/{id}/calls?tag=', 'query tag'],
  ['GET', '/accounts/{id}/calls?tag=Team', 'query tag'],
  ['GET', '/accounts/{id}/calls?tag=team=', 'query tag'],
  ['GET', '/accounts/{id}/calls?resource_key=x', 'query resource_key'],
  ['GET', '/accounts/{id}/calls?resource_key=/v1/latest/x', 'query resource_key'],
  ['GET', '/accounts/{id}/calls?from=2026-11-02&to=2026-11-01', 'query from', 'query to'],
  ['GET', '/accounts/{id}/usage?from=2026-11-02&to=2026-11-01', 'query from', 'query to'],
];

describe('a wrong parameter', () => {
  const table = PARAMETERS.map(([method, path, ...wrong]) => ({ method, path, wrong }));

  it.each(table)('of $method $path is named', async ({ method, path, wrong }) => {
    const refused = await stage.ask(method, pathOf(path));
    expect(refused.json).toMatchObject({ status: 400, code: 'invalid-parameter' });
    const parameters = refused.json['parameters'] as { in: string; name: string }[];
    const found = parameters.map((one) => `${one.in} ${one.name}`);
    expect(found.toSorted()).toEqual([...wrong].toSorted());
  });

  it.each([
    ['POST', '/accounts/7/grants', { credits: 0 }, ['/credits', '/kind']],
    ['POST', '/accounts/7/grants', undefined, ['']],
    ['POST', '/accounts?dry=1', { nam: 'A' }, ['/nam', '/name']],
    ['POST', '/rate-cards/preview?test=1', { version: 0 }, ['/from', '/to', '/version']],
    ['POST', '/accounts/7/suspend', undefined, []],
  ] as const)('of %s %s does not hide what is wrong with its body %j', async (...row) => {
    const [method, path, body, pointers] = row;
    const { json } = await stage.ask(method, pathOf(path), body && { body });
    expect(json).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(json['parameters']).toHaveLength(1);
    const errors = (json['errors'] ?? []) as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    const detail = String(json['detail']).replace('The body', 'the body');
    for (const pointer of pointers) expect(detail).toContain(pointer || 'the body');
  });

  it('that is an idempotency key of other letters is named beside others', async () => {
    const headers = { 'idempotency-key': 'Schlüssel' };
    const refused = await stage.ask('POST', pathOf('/accounts/x/suspend'), { headers });
    expect(refused.json).toMatchObject({
      code: 'invalid-parameter',
      parameters: [
        { in: 'path', name: 'account_id' },
        { in: 'header', name: 'Idempotency-Key' },
      ],
    });
  });
});

test.each(['/accounts/', '/accounts/{id}/', '/'])('nothing is found at %s', async (path) => {
  const refused = await stage.get(path.replace('{id}', id));
  expect(refused.json).toMatchObject({ status: 404, code: 'not-found' });
});

describe('a method that an address does not take', () => {
  it.each([
    ['PUT', '/accounts', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/accounts/{id}', 'GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/accounts/{id}', 'GET, HEAD, OPTIONS, PATCH'],
    ['PATCH', '/accounts/{id}/budgets/{key}', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['GET', '/accounts/{id}/suspend', 'OPTIONS, POST'],
    ['GET', '/accounts/{id}/adjustments', 'OPTIONS, POST'],
    ['GET', '/accounts/{id}/api-keys/{key}', 'DELETE, OPTIONS'],
    ['POST', '/releases', 'GET, HEAD, OPTIONS'],
  ] as const)('is refused: %s %s', async (method, path, allow) => {
    const refused = await stage.ask(method, pathOf(path));
    expect([refused.status, refused.headers['allow']]).toEqual([405, allow]);
  });
});

describe('without the admin token', () => {
  it.each([
    ['Basic YTpi', 'unauthenticated'],
    ['Bearer', 'invalid-key'],
    [`Bearer ${ADMIN_TOKEN}x`, 'invalid-key'],
  ])('nobody is let in by %j: %s', async (authorization, code) => {
    const refused = await stage.ask('POST', '/admin/v1/accounts', { authorization, raw: '{"no' });
    expect(refused.json).toMatchObject({ status: 401, code });
    expect(refused.headers['www-authenticate']).toContain('Bearer realm="popindex"');
  });

  it.each(['/admin/v1/%61ccounts', '/%61dmin/v1/accounts'])(
    'nothing is behind %s, which is never decoded',
    async (path) => {
      const refused = await stage.ask('GET', path, { authorization: null });
      expect(refused.json).toMatchObject({ status: 400, code: 'invalid-parameter' });
    },
  );

  it('health, the document and the pages of problems are open', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/problems/conflict']) {
      expect((await stage.ask('GET', path, { authorization: null })).status).toBe(200);
    }
  });
});

describe('a form that is not had', () => {
  it('is refused before anything is changed', async () => {
    const before = await positions();
    const headers = { accept: 'text/csv' };
    const refused = await stage.ask('POST', pathOf('/accounts'), { body: { name: 'A' }, headers });
    expect(refused.json).toMatchObject({ status: 406, available: ['application/json'] });
    expect(await positions()).toEqual(before);
  });

  it.each([
    ['/accounts', 'text/csv'],
    ['/accounts/{id}/events', 'text/csv'],
    ['/accounts/{id}/calls', 'text/html'],
  ])('is refused by the list %s', async (path, accept) => {
    expect((await stage.ask('GET', pathOf(path), { headers: { accept } })).status).toBe(406);
  });

  it.each([
    ['text/plain', 415],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/x-www-form-urlencoded', 415],
    ['Application/JSON;Charset=UTF8;', 201],
    ["application/json; charset='utf-8'", 201],
    ['application/json; charset = "UTF-8"; version=1', 201],
    ['application/json; charset=utf_8', 201],
    ['application/json;charset=unicode-1-1-utf-8', 201],
    ['application/json; charset=us-ascii', 201],
    ['application/json; charset=', 201],
  ])('as a body is taken or refused: %s %i', async (type, status) => {
    const headers = { 'content-type': type };
    const asked = { raw: '{"name":"A"}', headers };
    expect((await stage.ask('POST', pathOf('/accounts'), asked)).status).toBe(status);
  });

  it('is refused as a body when it is too large', async () => {
    const raw = JSON.stringify({ name: long(1_048_576) });
    expect((await stage.ask('POST', pathOf('/accounts'), { raw })).status).toBe(413);
  });
});

describe('ids in upper case', () => {
  it('name the same account', async () => {
    const upper = await stage.get(`/accounts/${id.toUpperCase()}`);
    expect(upper.json['id']).toBe(id);
    const key = randomUUID();
    const note = { credits: 1, kind: 'promotional' };
    const first = await stage.post(`/accounts/${id}/grants`, note, key);
    const retry = await stage.post(`/accounts/${id.toUpperCase()}/grants`, note, key);
    expect(retry.json).toEqual(first.json);
  });
});
