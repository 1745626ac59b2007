import { createHash, randomUUID } from 'node:crypto';
import type { ChargeRequest } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import { Random } from '#popularity/demo/random.js';
import { CallIds } from '../apps/api/src/meter/call-ids.js';
import { openingCommands } from './account-opening.js';
import { COMMANDS_AT_ONCE, type BareAccounting } from './accounting.js';
import { unnamedCharge } from './charge-request.js';
import { inParallel } from './in-parallel.js';

const NOT_AFTER_MS = 60_000;
const REPEAT_PERCENT = 90;

const sha256 = '0'.repeat(64);

/**
 * Calls of accounts, made directly at the accounting: some of new resources, most of known ones.
 */
export class Callers {
  readonly #random = new Random('callers');
  readonly #callIds = new CallIds(() => Date.now());
  /** How many keys each account has opened. */
  readonly #opened: Map<string, number>;

  /** Number of resources that each account must have opened: the first ones, in this window. */
  constructor(
    private readonly deciding: BareAccounting,
    readonly accounts: readonly string[],
    opened: number,
  ) {
    this.#opened = new Map(accounts.map((account) => [account, opened]));
  }

  /** Opens new accounts, each with its first resource. */
  static async open(deciding: BareAccounting, count: number): Promise<Callers> {
    const accounts = Array.from({ length: count }, () => randomUUID());
    const callers = new Callers(deciding, accounts, 0);
    await callers.#forEach((account) => callers.#open(account));
    return callers;
  }

  /**
   * Makes a call of each account, which loads it; each is planned as it is made, so that none has
   * waited for others. Answers how long the slowest took, in seconds.
   */
  async callEach(): Promise<number> {
    let slowest = 0;
    await this.#forEach(async (account) => {
      const startedAt = performance.now();
      await this.#call(this.#request(account));
      slowest = Math.max(slowest, performance.now() - startedAt);
    });
    return slowest / 1000;
  }

  /** Requests of accounts at random, made beforehand: whoever decides has not made them either. */
  plan(calls: number): ChargeRequest[] {
    return Array.from({ length: calls }, () => {
      const account = this.accounts[this.#random.between(0, this.accounts.length - 1)] ?? '';
      return this.#request(account);
    });
  }

  /** Makes planned calls, each once, so many in flight. Fails when one is refused. */
  async call(planned: readonly ChargeRequest[], atOnce = COMMANDS_AT_ONCE): Promise<void> {
    let made = 0;
    await inParallel(
      atOnce,
      () => planned[made++],
      (request) => this.#call(request),
    );
  }

  #forEach(work: (account: string) => Promise<void>): Promise<void> {
    let begun = 0;
    return inParallel(COMMANDS_AT_ONCE, () => this.accounts[begun++], work);
  }

  async #open(account: string): Promise<void> {
    const apiKeyHash = createHash('sha256').update(account).digest('hex');
    const names = { accountId: account, apiKeyHash, apiKeyLastFour: '0000', profileSha256: sha256 };
    for (const command of openingCommands(names)) await this.#submit(account, command);
    await this.#call(this.#request(account));
  }

  #request(account: string): ChargeRequest {
    const opened = this.#opened.get(account) ?? 0;
    const repeats = opened > 0 && this.#random.chance(REPEAT_PERCENT);
    const ordinal = repeats ? this.#random.between(0, opened - 1) : opened;
    if (!repeats) this.#opened.set(account, opened + 1);
    const callId = this.#callIds.next(account, null);
    const notAfter = Date.now() + NOT_AFTER_MS;
    const charge = unnamedCharge(ordinal, this.deciding.window);
    // Spread first, V8 would make a hidden class of its own for each of them.
    return { callId, accountId: account, notAfter, ...charge };
  }

  #call(request: ChargeRequest): Promise<void> {
    const { accountId, callId, notAfter } = request;
    return this.#submit(accountId, { command: 'make-call', request }, callId, notAfter);
  }

  async #submit(
    accountId: string,
    command: Command,
    callId: string = randomUUID(),
    notAfter = Date.now() + NOT_AFTER_MS,
  ): Promise<void> {
    const submission = { accountId, callId, isRetry: false, notAfter, command };
    const { refusal } = await this.deciding.accounting.submit(submission);
    if (refusal !== null) throw new Error(`Refused: ${JSON.stringify(refusal)}`);
  }
}
