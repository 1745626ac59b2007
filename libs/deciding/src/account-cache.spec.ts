import { initialState, recall } from '#account/state.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import { unopened } from '#projections/snapshots/account-tail.js';
import { AccountCache } from './account-cache.js';

const KEY = '/v1/2026w48/cat1/trends/all/popindex';

function withKeys(account: LoadedAccount, from: number, to: number): LoadedAccount {
  const keys = Array.from({ length: to - from }, (_, n) => `${KEY}/${from + n}`);
  const state = recall(account.state, keys);
  state.opened.compact();
  return { ...account, state };
}

describe('the cache of accounts', () => {
  it('gives up the account that nobody has asked for', () => {
    const cache = new AccountCache(2, 1_000);
    for (const id of ['a', 'b', 'c']) cache.set(id, unopened);
    cache.get('a');
    cache.shrink();
    expect(['a', 'b', 'c'].filter((id) => cache.has(id))).toEqual(['a', 'c']);
  });

  it('gives up the account that was not changed for longest', () => {
    const cache = new AccountCache(2, 1_000);
    for (const id of ['a', 'b', 'c']) cache.set(id, unopened);
    cache.set('a', unopened);
    cache.shrink();
    expect(['a', 'b', 'c'].filter((id) => cache.has(id))).toEqual(['a', 'c']);
  });

  it('counts the keys that an account opens where it stands', () => {
    const cache = new AccountCache(10, 100);
    const account = withKeys(unopened, 0, 60);
    for (const id of ['a', 'b']) cache.set(id, account);
    cache.set('b', withKeys(unopened, 0, 10));
    account.state.opened.take(Array.from({ length: 40 }, (_, n) => `${KEY}/${60 + n}`));
    cache.shrink();
    expect(cache.has('a')).toBe(true);
    cache.grow('a');
    cache.shrink();
    expect([cache.has('a'), cache.has('b')]).toEqual([false, true]);
  });

  it('counts the keys that an account has opened since it was loaded', () => {
    const cache = new AccountCache(10, 100);
    cache.set('a', unopened);
    let account: LoadedAccount = { ...unopened, state: { ...initialState } };
    for (let keys = 0; keys < 90; keys += 10) {
      account = withKeys(account, keys, keys + 10);
      cache.set('b', account);
    }
    cache.shrink();
    expect(cache.has('a')).toBe(true);
    cache.set('b', withKeys(account, 90, 120));
    cache.shrink();
    expect([cache.has('a'), cache.has('b')]).toEqual([false, true]);
  });
});
