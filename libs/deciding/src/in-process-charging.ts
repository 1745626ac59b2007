import {
  AccountingUnavailableError,
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  type QuoteOutcome,
  type QuoteRequest,
} from '#account/charging.js';
import { recall } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { present } from '#projections/reads/account-view.js';
import type { Decider } from './submission.js';
import { currentTerms, type PriceSource } from './current-terms.js';
import { quoteCalls } from './quote.js';
import { replayedCall } from './replayed-call.js';

/** Keys of a quote that are looked up in one query. */
const KEYS_AT_ONCE = 200;

/** The port `Charging` in an accounting process. */
export class InProcessCharging implements Charging {
  constructor(
    private readonly accounting: Decider,
    private readonly loader: Pick<AccountLoader, 'loadCores' | 'opened'>,
    private readonly clock: Clock,
    private readonly liveTerms: PriceSource,
    private readonly log: Pick<EventLog, 'findCalls'>,
  ) {}

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const { accountId, callId, isRetry, notAfter } = request;
    const command = { command: 'make-call', request } as const;
    const answer = await this.accounting.submit({ accountId, callId, isRetry, notAfter, command });
    if (answer.refusal !== null) return { outcome: 'refused', refusal: answer.refusal };
    const { event, state, replayed, place } = answer;
    if (event?.type !== 'CallMade') throw new Error(`Command ${callId} made no call.`);
    const balance = state.overdraft === null ? null : event.data.balance;
    return {
      outcome: 'charged',
      charged: { callId, at: event.at, call: event.data, balance, place },
      replayed,
    };
  }

  async quote(request: QuoteRequest): Promise<QuoteOutcome> {
    const { accountId, items } = request;
    try {
      const { accounts } = await this.loader.loadCores([accountId]);
      const opened = await this.#opened(accountId, [...new Set(items.map(({ key }) => key))]);
      const account = accounts.get(accountId);
      if (account === undefined || account.state.version === 0) {
        return { outcome: 'refused', refusal: { reason: 'account-unknown' } };
      }
      const replayed = await replayedCall(this.log, account.state, request, this.clock.now());
      if (replayed !== undefined) return replayed;
      const { calendar } = this.liveTerms.terms();
      const { state, at } = present(account.state, this.clock.now(), calendar);
      const known = recall(state, opened);
      return await quoteCalls(known, request, at, await currentTerms(this.liveTerms, state, items));
    } catch (error) {
      if (error instanceof AccountingUnavailableError) throw error;
      throw new AccountingUnavailableError(`The ledger is away: ${String(error)}`);
    }
  }

  /** Some at a time: a thousand at once would keep the event loop and the database. */
  async #opened(accountId: string, keys: readonly string[]): Promise<string[]> {
    const opened: string[] = [];
    for (let index = 0; index < keys.length; index += KEYS_AT_ONCE) {
      const part = keys.slice(index, index + KEYS_AT_ONCE);
      const { opened: found } = await this.loader.opened(part.map((key) => ({ accountId, key })));
      opened.push(...found.map(({ key }) => key));
    }
    return opened;
  }
}
