import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { changeAccount } from '#account/scenario.suite.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { newCaller } from '../test-adapters/caller.js';
import { createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const KEY = PATH.replace('latest', '2026w47');
const PREFER = { prefer: 'receipt' };

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

/** The content of a receipt that the listed keys have signed. */
async function contentOf(receipt: string | undefined): Promise<Record<string, unknown>> {
  const listed = await api.app.inject({ method: 'GET', url: '/.well-known/jwks.json' });
  expect([listed.statusCode, listed.headers['cache-control']]).toEqual([
    200,
    'public, max-age=300',
  ]);
  const keys = createLocalJWKSet(listed.json<JSONWebKeySet>());
  const { payload } = await compactVerify(receipt ?? '', keys);
  return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
}

test('a call that prefers a receipt gets one of its decision, at the head of its account', async () => {
  const { account, get } = newCaller(api, PATH, 1000);
  const answer = await get(PATH, PREFER);
  expect(answer.header('preference-applied')).toBe('receipt');
  const events = await account.events();
  const head = events.reduce(hashEvent, FIRST_HEAD);
  expect(await contentOf(answer.header('receipt'))).toEqual({
    call_id: answer.header('call-id'),
    account_id: account.id,
    at: '2026-11-21T12:00:00.000Z',
    key: KEY,
    credits_used: 35,
    balance: 965,
    account_version: events.length,
    account_head: head,
  });
});

test('a retry gets the receipt of the first decision, whatever came in between', async () => {
  const { get } = newCaller(api, PATH, 1000);
  const once = { ...PREFER, 'idempotency-key': 'one' };
  const first = await get(PATH, once);
  await get(PATH);
  const again = await get(PATH, once);
  expect(again.header('idempotent-replayed')).toBe('true');
  expect(again.header('receipt')).toBe(first.header('receipt'));
});

test.each([
  ['among others', 'respond-async, receipt; foo=1'],
  ['in capitals', 'Receipt'],
])('a receipt is preferred %s', async (_how, prefer) => {
  const { get } = newCaller(api, PATH, 1000);
  expect((await get(PATH, { prefer })).header('receipt')).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]{86}$/);
});

test("by its account's terms every answer carries a receipt", async () => {
  const { account, get } = newCaller(api, PATH, 1000);
  await account.change(changeAccount({ receipts: true }));
  const answer = await get(PATH);
  expect(answer.header('preference-applied')).toBeUndefined();
  expect(await contentOf(answer.header('receipt'))).toMatchObject({ account_id: account.id });
});

test.each([
  ['nobody asks for it', {}],
  ['another preference is named', { prefer: 'receipts, return=minimal' }],
])('there is none where %s', async (_when, headers) => {
  const { get } = newCaller(api, PATH, 1000);
  const answer = await get(PATH, headers);
  expect(answer.status).toBe(200);
  expect([answer.header('receipt'), answer.header('preference-applied')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(api.charging.requests.at(-1)?.wantsPlace).toBe(false);
});

test('what is confirmed is a call with a receipt, and what is refused or quoted has none', async () => {
  const { get, head } = newCaller(api, PATH, 1000);
  const etag = (await get(PATH)).header('etag') ?? '';
  const confirmed = await get(PATH, { ...PREFER, 'if-none-match': etag });
  expect(confirmed.status).toBe(304);
  expect(await contentOf(confirmed.header('receipt'))).toMatchObject({ credits_used: 10 });
  expect((await get(PATH, { ...PREFER, 'credits-max': '1' })).header('receipt')).toBeUndefined();
  expect((await head(PATH, PREFER)).header('receipt')).toBeUndefined();
});

test('calls are answered without a receipt while nobody can sign', async () => {
  const own = await createTestApi({ isUnsigned: true });
  try {
    const { get } = newCaller(own, PATH, 1000);
    const answer = await get(PATH, PREFER);
    expect([answer.status, answer.header('receipt')]).toEqual([200, undefined]);
  } finally {
    await own.close();
  }
});
