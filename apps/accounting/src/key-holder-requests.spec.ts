import { randomUUID } from 'node:crypto';
import type { ForwardedAnswer } from '#charging-link/forwarding.js';
import { AdminStage, itemsOf } from '../../../test/setup/admin-stage.js';
import { KeyHolderRequests } from './key-holder-requests.js';
import { accountingServices } from './services.js';

let stage: AdminStage;
let requests: KeyHolderRequests;
let account: string;
let apiKey: string;

beforeAll(async () => {
  stage = await AdminStage.open();
  const runtime = stage.runtime();
  requests = await KeyHolderRequests.open(runtime, accountingServices(runtime));
  account = await stage.account();
  const body = { label: 'Ops', scopes: ['account:read', 'account:write'] };
  apiKey = String((await stage.post(`/accounts/${account}/api-keys`, body)).json['id']);
});
afterAll(async () => {
  await requests.close();
  await stage.close();
});

interface Asked {
  readonly of?: string;
  readonly body?: object;
  readonly key?: string;
  readonly requestId?: string;
  /** Id of the API key; that of the stage unless given. */
  readonly by?: string;
}

function ask(method: string, target: string, asked: Asked = {}): Promise<ForwardedAnswer> {
  const { of = account, body, key, requestId = randomUUID(), by = apiKey } = asked;
  return requests.forward({
    accountId: of,
    apiKeyId: by,
    requestId,
    method,
    target: `/v1/account${target}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

const BUDGET = { period: 'month', limit_credits: 500, thresholds: [50], action: 'block' };

function idOf({ status, body }: ForwardedAnswer): string {
  expect([200, 201]).toContain(status);
  return String((JSON.parse(body) as Record<string, unknown>)['id']);
}

test('a budget is made once, read, replaced and removed with an API key', async () => {
  const first = await ask('POST', '/budgets', { body: BUDGET, key: 'one' });
  const again = await ask('POST', '/budgets', { body: BUDGET, key: 'one' });
  const id = idOf(first);
  expect(idOf(again)).toBe(id);
  expect(again.headers['idempotent-replayed']).toBe('true');
  await ask('PUT', `/budgets/${id}`, { body: { ...BUDGET, limit_credits: 900 } });
  expect(JSON.parse((await ask('GET', `/budgets/${id}`)).body)).toMatchObject({
    limit_credits: 900,
  });
  expect((await ask('DELETE', `/budgets/${id}`)).status).toBe(204);
});

test('changes name the API key, and the audit its last characters', async () => {
  await ask('POST', '/budgets', { body: BUDGET });
  const entries = itemsOf(await stage.get(`/audit?account_id=${account}&by=${apiKey}`));
  expect(entries.at(-1)).toMatchObject({
    type: 'BudgetSet',
    by: apiKey,
    by_name: expect.stringMatching(/^API key pix_.*…\w{4}$/),
  });
});

test('a webhook is that of the account, and that of another account is none', async () => {
  const id = idOf(await ask('POST', '/webhooks', { body: { url: 'https://example.com/hook' } }));
  const other = await stage.account();
  expect((await ask('GET', `/webhooks/${id}`)).status).toBe(200);
  expect((await ask('GET', `/webhooks/${id}`, { of: other })).status).toBe(404);
  expect((await ask('DELETE', `/webhooks/${id}`, { of: other })).status).toBe(404);
});

test('a key is replaced by one with the same scopes, and none is issued from nothing', async () => {
  const made = await ask('POST', `/api-keys/${apiKey}/rotate`, { body: { overlap_hours: 1 } });
  expect(JSON.parse(made.body)).toMatchObject({ scopes: ['account:read', 'account:write'] });
  expect((await ask('POST', '/api-keys', { body: { label: 'New' } })).status).toBe(405);
});

test('a key rotates none that has a scope which it lacks, or that ends after it', async () => {
  const issue = async (body: object) =>
    String((await stage.post(`/accounts/${account}/api-keys`, body)).json['id']);
  const write = { label: 'Write', scopes: ['account:write'] };
  const ends = { ...write, expires_at: '2026-11-25T00:00:00Z' };
  const [writer, passing] = [await issue(write), await issue(ends)];
  const data = await issue({ label: 'Data', scopes: ['data'] });
  const all = await issue({ label: 'All', scopes: ['data', 'account:read', 'account:write'] });
  const rotate = async (by: string, key: string) => {
    const asked = { by, body: { overlap_hours: 1 } };
    const { status, body } = await ask('POST', `/api-keys/${key}/rotate`, asked);
    return [status, JSON.parse(body) as Record<string, unknown>] as const;
  };
  for (const key of [data, all, apiKey]) {
    const [status, problem] = await rotate(writer, key);
    expect([status, problem['code'], problem['key']]).toEqual([403, 'forbidden', undefined]);
  }
  expect(await rotate(passing, writer)).toMatchObject([409, { code: 'conflict' }]);
  expect(await rotate(passing, passing)).toMatchObject([201, { expires_at: ends.expires_at }]);
  // Now it ends within an hour, and what it gets then does, too.
  expect(await rotate(writer, writer)).toMatchObject([201, { expires_at: null }]);
  expect(await rotate(writer, writer)).toMatchObject([
    201,
    { expires_at: expect.stringMatching('Z') as string },
  ]);
  expect(await rotate(all, data)).toMatchObject([201, { scopes: ['data'] }]);
  const active = itemsOf(await stage.get(`/accounts/${account}/api-keys`));
  expect(active.find(({ id }) => id === all)).toMatchObject({ expires_at: null });
});

test('a problem names the request of the API, and nothing else can be reached', async () => {
  const requestId = randomUUID();
  const refused = await ask('POST', '/budgets', { body: { period: 'day' }, requestId });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body)).toMatchObject({ instance: `urn:uuid:${requestId}` });
  expect((await ask('GET', '/../../admin/v1/accounts')).status).toBe(404);
});
