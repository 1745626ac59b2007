import { randomUUID } from 'node:crypto';
import type { Command } from '#account/commands.js';
import { resourceKey } from '#rating/resource-path.js';
import { Random, uuidOfName } from '#popularity/demo/random.js';
import type { Accounting } from '../apps/accounting/src/charging/accounting.js';

const NOT_AFTER_MS = 60_000;
const CREDITS = 1_000_000_000_000;
const RESOURCES = 5_000;

const sha256 = '0'.repeat(64);
const ITEMS = Array.from({ length: RESOURCES }, (_, index) => uuidOfName(`item ${index}`));

/** The accounts of the benchmark, opened and called straight at the accounting. */
export class Callers {
  readonly #random = new Random('callers');
  /** How many keys each account has opened. */
  readonly #opened = new Map<string, number>();
  readonly #accounts: readonly string[];

  constructor(
    private readonly accounting: Accounting,
    private readonly window: string,
    count: number,
  ) {
    this.#accounts = Array.from({ length: count }, () => randomUUID());
  }

  /** Opens every account, with its first resource. */
  async open(atOnce: number): Promise<void> {
    const left = [...this.#accounts];
    await inParallel(
      atOnce,
      () => left.pop(),
      (account) => this.#open(account),
    );
  }

  /** Makes calls of accounts at random, so many at once. Fails when one is refused. */
  async call(calls: number, atOnce: number, repeatPercent: number): Promise<void> {
    let left = calls;
    const next = (): string | undefined => {
      if (left === 0) return undefined;
      left -= 1;
      return this.#accounts[this.#random.between(0, this.#accounts.length - 1)];
    };
    await inParallel(atOnce, next, (account) => this.#call(account, repeatPercent));
  }

  async #open(account: string): Promise<void> {
    const origin = { by: 'system', request: account, input: '' };
    const profile = { id: account, sha256 };
    await this.#submit(account, {
      command: 'open-account',
      origin,
      profile,
      currency: 'USD',
      overdraft: 0,
      test: false,
      testClock: null,
      rateLimit: null,
      lowBalance: null,
      rateCard: null,
    });
    await this.#submit(account, {
      command: 'issue-api-key',
      origin,
      keyId: account,
      hash: uuidOfName(account),
      prefix: 'pix_live_',
      lastFour: '0000',
      scopes: ['data'],
      expiresAt: null,
      profile,
    });
    await this.#submit(account, {
      command: 'grant-credits',
      origin,
      grantId: account,
      credits: CREDITS,
      kind: 'purchased',
      price: null,
      expiresAt: null,
      priority: 100,
      profile: null,
    });
    await this.#call(account, 0);
  }

  #call(account: string, repeatPercent: number): Promise<void> {
    const opened = this.#opened.get(account) ?? 0;
    const repeats = this.#random.chance(repeatPercent);
    const ordinal = repeats ? this.#random.between(0, opened - 1) : opened;
    if (!repeats) this.#opened.set(account, opened + 1);
    const item = ITEMS[ordinal] ?? '';
    const resource = { resource: 'timeseries', type: 'cat5', region: 'us', item } as const;
    const callId = randomUUID();
    const key = resourceKey(resource, this.window);
    const request = {
      callId,
      accountId: account,
      apiKey: 1,
      key,
      asked: key.replace(this.window, 'latest'),
      resource,
      rows: 48,
      window: this.window,
      release: '2026-01',
      maxCredits: null,
      tags: null,
      mayExist: false,
      notAfter: Date.now() + NOT_AFTER_MS,
    };
    return this.#submit(account, { command: 'make-call', request }, callId);
  }

  async #submit(accountId: string, command: Command, callId: string = randomUUID()): Promise<void> {
    const notAfter = Date.now() + NOT_AFTER_MS;
    const submission = { accountId, callId, mayExist: false, notAfter, command };
    const { refusal } = await this.accounting.submit(submission);
    if (refusal !== null) throw new Error(`Refused: ${JSON.stringify(refusal)}`);
  }
}

async function inParallel<Item>(
  atOnce: number,
  next: () => Item | undefined,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const run = async (): Promise<void> => {
    for (let item = next(); item !== undefined; item = next()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}
