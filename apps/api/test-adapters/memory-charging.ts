import type {
  ChargedCall,
  ChargeOutcome,
  ChargeRequest,
  Charging,
  QuoteItem,
  QuoteOutcome,
  QuoteRequest,
  QuotedCall,
} from '#account/charging.js';
import type { CallMade } from '#account/events.js';
import type { Refusal } from '#account/refusal.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { windowOfKey } from '#rating/key-parts.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { priceOf } from '#rating/rate.js';
import type { MemoryAccount, MemoryAccounts } from './memory-accounts.js';

const REPLAY_MS = 600_000;

interface Price {
  readonly kind: CallMade['kind'];
  readonly cost: readonly [number, number];
  readonly rule: string;
}

/** Charging in memory: it really decides by key, balance, window and idempotency key. */
export class MemoryCharging implements Charging {
  readonly requests: ChargeRequest[] = [];
  quotes = 0;

  constructor(
    private readonly accounts: MemoryAccounts,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    this.requests.push(request);
    const account = this.accounts.accounts.get(request.accountId);
    if (!account) return refused({ reason: 'account-unknown' });
    const at = account.testClock ?? this.clock.now();
    const caller = this.#refuseCaller(account, request.apiKey);
    if (caller) return refused(caller);
    const first = account.calls.find(({ callId }) => callId === request.callId);
    if (first) return this.#replay(account, first, request.asked, at);
    const refusal = this.#refuseMoved(account, request, at) ?? this.#refusePrice(account, request);
    if (refusal) return refused(refusal);
    return { outcome: 'charged', charged: this.#book(account, request, at), replayed: false };
  }

  async quote(request: QuoteRequest): Promise<QuoteOutcome> {
    this.quotes += 1;
    const account = this.accounts.accounts.get(request.accountId);
    if (!account) return { outcome: 'refused', refusal: { reason: 'account-unknown' } };
    const at = account.testClock ?? this.clock.now();
    const caller = this.#refuseCaller(account, request.apiKey);
    if (caller) return { outcome: 'refused', refusal: caller };
    const { named } = request;
    const first = named && account.calls.find(({ callId }) => callId === named.callId);
    if (first) {
      const replay = this.#replay(account, first, named.asked, at);
      if (replay.outcome === 'refused') return replay;
      return { outcome: 'quoted', items: [], balance: account.balance, first };
    }
    const opened = new Set(account.opened.keys());
    const openedNext = new Set<string>();
    let { balance } = account;
    const items: QuotedCall[] = [];
    for (const item of request.items) {
      const moved = this.#refuseMoved(account, item, at);
      if (moved) return { outcome: 'refused', refusal: moved };
      const price = priceIn(opened, item);
      const refusal = outOfCredits(balance, account.overdraft, price);
      if (!refusal) {
        opened.add(item.key);
        balance -= price.cost[0] + price.cost[1];
      }
      const { cost: next } = priceIn(openedNext, item);
      openedNext.add(item.key);
      items.push({ ...price, card: 1, nextWindowCredits: next[0] + next[1], refusal });
    }
    return {
      outcome: 'quoted',
      items,
      balance: account.overdraft === null ? null : account.balance,
    };
  }

  #refuseCaller(account: MemoryAccount, apiKey: number): Refusal | null {
    const record = this.accounts.keyOf(apiKey)?.record;
    if (!record || record.revoked) return { reason: 'key-invalid' };
    if (account.suspended) return { reason: 'account-suspended' };
    return record.scopes.includes('data') ? null : { reason: 'scope-missing', scope: 'data' };
  }

  #replay(account: MemoryAccount, first: ChargedCall, asked: string, at: number): ChargeOutcome {
    const { callId } = first;
    if (account.asked.get(callId) !== asked) {
      return refused({ reason: 'idempotency-conflict', callId });
    }
    if (at - first.at > REPLAY_MS) return refused({ reason: 'idempotency-key-used', callId });
    return { outcome: 'charged', charged: first, replayed: true };
  }

  #refuseMoved(account: MemoryAccount, item: QuoteItem, at: number): Refusal | null {
    const { label } = this.calendar.windowAt(at);
    if (item.window !== label) return { reason: 'window-moved', window: label };
    const pinned = account.pins.get(windowOfKey(item.key));
    return pinned && pinned !== item.release ? { reason: 'release-moved', release: pinned } : null;
  }

  #refusePrice(account: MemoryAccount, request: ChargeRequest): Refusal | null {
    const price = priceIn(new Set(account.opened.keys()), request);
    const requiredCredits = price.cost[0] + price.cost[1];
    const { maxCredits } = request;
    if (maxCredits !== null && requiredCredits > maxCredits) {
      return { reason: 'price-above-maximum', requiredCredits, maxCredits, kind: price.kind };
    }
    return outOfCredits(account.balance, account.overdraft, price);
  }

  #book(account: MemoryAccount, request: ChargeRequest, at: number): ChargedCall {
    const price = priceIn(new Set(account.opened.keys()), request);
    account.balance -= price.cost[0] + price.cost[1];
    const call: CallMade = {
      key: request.key,
      window: request.window,
      release: request.release,
      api_key: request.apiKey,
      rows: request.rows,
      ...price,
      card: 1,
      draws: [[1, price.cost[0] + price.cost[1]]],
      balance: account.balance,
      ...(request.tags && { tags: request.tags }),
    };
    const balance = account.overdraft === null ? null : account.balance;
    const charged = { callId: request.callId, at, call, balance };
    account.calls.push(charged);
    account.asked.set(request.callId, request.asked);
    if (!account.opened.has(request.key)) account.opened.set(request.key, charged);
    return charged;
  }
}

function priceIn(opened: ReadonlySet<string>, item: QuoteItem): Price {
  const { cost, rule } = priceOf(RATE_CARD_1, item.resource, item.rows);
  if (!opened.has(item.key)) return { kind: 'base', cost, rule };
  return { kind: 'repeat', cost: [cost[0], 0], rule };
}

function outOfCredits(balance: number, overdraft: number | null, price: Price): Refusal | null {
  const requiredCredits = price.cost[0] + price.cost[1];
  if (overdraft === null || requiredCredits <= balance + overdraft) return null;
  const availableCredits = Math.max(0, balance + overdraft);
  return { reason: 'out-of-credits', requiredCredits, balance, availableCredits, kind: price.kind };
}

function refused(refusal: Refusal): ChargeOutcome {
  return { outcome: 'refused', refusal };
}
