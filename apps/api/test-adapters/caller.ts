import { ask, type CheckedAnswer } from './seen.js';
import type { NewAccount } from './test-accounts.js';
import { bearer, type TestApi } from './test-api.js';

/** A new account with a key, and how to ask for `path`, or another one, with it. */
export function newCaller(
  api: TestApi,
  path: string,
  credits = 1_000_000,
  changes: NewAccount = {},
) {
  const account = api.account(credits, changes);
  const headers = bearer(api.key(account));
  const asking =
    (method: 'GET' | 'HEAD') =>
    (url = path, more: Record<string, string> = {}): Promise<CheckedAnswer> =>
      ask(api, { method, url, headers: { ...headers, ...more } });
  return { account, get: asking('GET'), head: asking('HEAD') };
}
