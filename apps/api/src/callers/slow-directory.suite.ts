import type { KeyAccount, KeyDirectory, KeyRecord } from '#account/key-directory.js';

/** An account with these keys, which are their own hashes. */
export function account(
  accountId: string,
  hashes: readonly string[],
  changes: Partial<KeyRecord> = {},
) {
  const record = (hash: string, index: number): KeyRecord => ({
    accountId,
    apiKey: index + 1,
    keyId: hash,
    scopes: ['data'],
    expiresAt: null,
    suspended: false,
    test: false,
    testClock: null,
    rateLimit: null,
    receipts: false,
    ...changes,
  });
  return { accountId, keys: new Map(hashes.map((hash, index) => [hash, record(hash, index)])) };
}

/** A directory whose answers are of when it was asked, and come when the test says so. */
export class SlowDirectory implements KeyDirectory {
  readonly accounts = new Map<string, KeyAccount>();
  /** Accounts that cannot be followed, with why. */
  readonly missed = new Map<string, Error>();
  readonly asked: string[] = [];
  readonly #waiting: (() => void)[] = [];
  away = false;

  put(...accounts: readonly KeyAccount[]): void {
    for (const one of accounts) this.accounts.set(one.accountId, one);
  }

  find(hash: string): Promise<KeyAccount | undefined> {
    this.asked.push(`find ${hash}`);
    const found = [...this.accounts.values()].find(({ keys }) => keys.has(hash));
    return this.#later(() => found);
  }

  follow(accounts: readonly KeyAccount[]): Promise<readonly (KeyAccount | Error | undefined)[]> {
    const ids = accounts.map(({ accountId }) => accountId);
    this.asked.push(`follow ${ids.join(' ')}`);
    const now = ids.map((id) => this.missed.get(id) ?? this.accounts.get(id));
    return this.#later(() => now);
  }

  /** Answers one that waits, the last asked first if `which` says so; whether there was one. */
  answer(which: 'first' | 'last' = 'first'): boolean {
    const answer = which === 'first' ? this.#waiting.shift() : this.#waiting.pop();
    answer?.();
    return answer !== undefined;
  }

  #later<Found>(found: () => Found): Promise<Found> {
    const { away } = this;
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => (away ? reject(new Error('away')) : resolve(found())));
    });
  }
}
