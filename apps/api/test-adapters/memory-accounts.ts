import { createHash } from 'node:crypto';
import { formatApiKey } from '#account/api-key.js';
import type { ChargedCall } from '#account/charging.js';
import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';

/** An account as these adapters keep it. `opened`: the call that opened each key. */
export interface MemoryAccount {
  readonly id: string;
  readonly name: string;
  readonly granted: number;
  balance: number;
  overdraft: number | null;
  suspended: boolean;
  testClock: number | null;
  readonly opened: Map<string, ChargedCall>;
  readonly calls: ChargedCall[];
  /** The path that was asked, by call id. */
  readonly asked: Map<string, string>;
  /** Releases that a test account is held to, by window. */
  readonly pins: Map<string, string>;
}

export interface MemoryKey {
  readonly text: string;
  record: KeyRecord;
}

interface NewAccount {
  readonly credits: number;
  readonly overdraft?: number | null;
  readonly testClock?: number | null;
}

/** Accounts and API keys in memory: a real, small implementation of KeyDirectory. */
export class MemoryAccounts implements KeyDirectory {
  readonly accounts = new Map<string, MemoryAccount>();
  readonly #keys = new Map<string, MemoryKey>();
  lookUps = 0;
  #number = 0;

  open({ credits, overdraft = 0, testClock = null }: NewAccount): MemoryAccount {
    this.#number += 1;
    const id = `00000000-0000-4000-8000-${String(this.#number).padStart(12, '0')}`;
    const account: MemoryAccount = {
      id,
      name: `Account ${this.#number}`,
      granted: credits,
      balance: credits,
      overdraft,
      suspended: false,
      testClock,
      opened: new Map(),
      calls: [],
      asked: new Map(),
      pins: new Map(),
    };
    this.accounts.set(id, account);
    return account;
  }

  issueKey(account: MemoryAccount, changes: Partial<KeyRecord> = {}): MemoryKey {
    const number = this.#keys.size + 1;
    const random = createHash('sha256').update(`key ${number}`).digest('hex').slice(0, 30);
    const text = formatApiKey(account.testClock === null ? 'pix_live_' : 'pix_test_', random);
    const record: KeyRecord = {
      accountId: account.id,
      apiKey: number,
      keyId: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
      scopes: ['data', 'account:read'],
      expiresAt: null,
      revoked: false,
      suspended: false,
      test: false,
      testClock: null,
      rateLimit: { perSecond: 100_000, burst: 100_000 },
      ...changes,
    };
    const key = { text, record };
    this.#keys.set(createHash('sha256').update(text).digest('hex'), key);
    return key;
  }

  keyOf(apiKey: number): MemoryKey | undefined {
    return [...this.#keys.values()].find(({ record }) => record.apiKey === apiKey);
  }

  async find(hash: string): Promise<KeyRecord | undefined> {
    this.lookUps += 1;
    const key = this.#keys.get(hash);
    const account = key && this.accounts.get(key.record.accountId);
    if (!key || !account) return undefined;
    const { suspended, testClock } = account;
    return { ...key.record, suspended, test: testClock !== null, testClock };
  }
}
