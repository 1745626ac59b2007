import { jest } from '@jest/globals';
import type { KeyAccount } from '#account/key-directory.js';
import { origin, revokeApiKey } from '#account/scenario.suite.js';
import { ask } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';
import type { TestAccount, TestKey } from '../../test-adapters/test-accounts.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const NOWHERE = '/v1/latest/cat2/nothing';

const now = performance.now.bind(performance);

let api: TestApi;
let passedMs: number;
/** Questions of the directory that it has not answered. */
let waiting: (() => void)[];

beforeEach(async () => {
  passedMs = 0;
  waiting = [];
  api = await createTestApi();
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
});
afterEach(() => {
  jest.restoreAllMocks();
  return api.app.close();
});

/** From now on the directory looks at once, and answers when the test says so. */
function slowDown() {
  const follow = api.accounts.follow.bind(api.accounts);
  return jest.spyOn(api.accounts, 'follow').mockImplementation(async (accounts) => {
    const followed: readonly KeyAccount[] = await follow(accounts);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return followed;
  });
}

function answerAll(): void {
  for (const go of waiting.splice(0)) go();
}

/** A key that was called before, and whose account is being followed at this moment. */
async function followedKey() {
  const account = api.account();
  const key = api.key(account);
  const headers = bearer(key);
  const get = (url: string, more: Record<string, string> = {}) =>
    ask(api, { url, headers: { ...headers, ...more } });
  expect((await get(TRENDS, { 'idempotency-key': 'one' })).status).toBe(200);
  const follow = slowDown();
  passedMs += 1_500;
  expect((await get(TRENDS)).status).toBe(200);
  await new Promise(setImmediate);
  expect(follow).toHaveBeenCalledTimes(1);
  return { account, key, headers, get, follow };
}

it('no call waits for a key that was valid a second ago, however long the directory takes', async () => {
  const { get, follow } = await followedKey();
  for (const ms of [1_000, 5_000, 10_000]) {
    passedMs += ms;
    expect((await get(TRENDS)).status).toBe(200);
  }
  expect(follow).toHaveBeenCalledTimes(1);
  answerAll();
});

const ENDS: readonly [string, string, (account: TestAccount, key: TestKey) => Promise<void>][] = [
  ['was revoked', 'invalid-key', (account, { keyId }) => account.change(revokeApiKey(keyId))],
  [
    'was replaced, and has come to its end',
    'invalid-key',
    async (account, { keyId }) => {
      const expiresAt = api.clock.now() + 1;
      const end = { command: 'end-api-key', origin, keyId, expiresAt, wasIssued: true } as const;
      await account.change(end);
      api.clock.time = expiresAt;
    },
  ],
  ['is of a suspended account', 'account-suspended', (account) => account.suspend()],
  [
    'is of a closed account',
    'invalid-key',
    (account) => account.change({ command: 'close-account', origin }),
  ],
];

it.each(ENDS)(
  'while its account is followed a key that %s is refused at once, and pays nothing',
  async (_what, code, end) => {
    const { account, key, headers, get } = await followedKey();
    await end(account, key);
    const balance = await account.balance();
    const codes = [
      (await get(TRENDS)).json()['code'],
      (await get(TRENDS, { 'idempotency-key': 'one' })).json()['code'],
      (await get(TRENDS, { 'idempotency-key': 'two' })).json()['code'],
    ];
    expect(codes).toEqual(Array(3).fill(code));
    const head = await ask(api, { method: 'HEAD', url: TRENDS, headers });
    expect(head.status).toBe(code === 'invalid-key' ? 401 : 403);
    expect(await account.balance()).toBe(balance);
    answerAll();
    expect((await get(TRENDS)).json()['code']).toBe(code);
  },
);

it.each(ENDS)(
  'while its account is followed a key that %s is shown no other account than it has now',
  async (_what, code, end) => {
    const { account, key, get, follow } = await followedKey();
    await end(account, key);
    const answer = await get('/v1/account');
    if (code === 'account-suspended') expect(answer.json()['status']).toBe('suspended');
    else expect([answer.status, answer.json()['code']]).toEqual([401, code]);
    // Nobody has asked the directory: it still owes the answer from before the end.
    expect(follow).toHaveBeenCalledTimes(1);
    answerAll();
  },
);

it.each(['/v1/account?as_of=2026-11-21T11:00:00Z', '/v1/account/calls', NOWHERE])(
  'while its account is followed %s, which nothing is charged for, waits and hears of the end',
  async (url) => {
    const { account, key, get } = await followedKey();
    await account.change(revokeApiKey(key.keyId));
    const asked = get(url);
    let isAnswered = false;
    void asked.then(() => (isAnswered = true));
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    const going = setInterval(answerAll, 1);
    expect((await asked).json()['code']).toBe('invalid-key');
    clearInterval(going);
  },
);

it('the accounts of many keys that are due at once are followed in a few questions', async () => {
  const accounts = Array.from({ length: 40 }, () => api.account());
  const keys = accounts.flatMap((account) =>
    Array.from({ length: 5 }, () => bearer(api.key(account))),
  );
  const callAll = async (): Promise<number[]> => {
    const asked = keys.map((headers) =>
      api.app.inject({ method: 'GET', url: TRENDS, headers: { ...headers } }),
    );
    return (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  };
  expect(new Set(await callAll())).toEqual(new Set([200]));
  const follow = slowDown();
  passedMs += 1_500;
  expect(new Set(await callAll())).toEqual(new Set([200]));
  expect(follow.mock.calls.length).toBeLessThanOrEqual(2);
  answerAll();
});
