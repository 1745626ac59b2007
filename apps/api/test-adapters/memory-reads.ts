import type { ChargedCall } from '#account/charging.js';
import { windowOfCall } from '#account/evolve.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import {
  type AccountReads,
  type AccountView,
  BadCursorError,
  type CallExplanation,
  type CallFilter,
  type CallView,
  type EventView,
  type Page,
  type WindowKeyView,
} from '#ledger/account-reads.js';
import type { MemoryAccount, MemoryAccounts } from './memory-accounts.js';

/** What is asked of accounts, read from the accounts in memory. */
export class MemoryReads implements AccountReads {
  constructor(
    private readonly accounts: MemoryAccounts,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  async account(accountId: string): Promise<AccountView | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const at = account.testClock ?? this.clock.now();
    const window = this.calendar.windowAt(at);
    return {
      id: account.id,
      name: account.name,
      status: account.suspended ? 'suspended' : 'active',
      test: account.testClock !== null,
      currency: 'USD',
      balance: account.balance,
      overdraft_credits: account.overdraft,
      available_credits: account.overdraft === null ? null : account.balance + account.overdraft,
      grants: [
        {
          id: '00000000-0000-4000-a000-000000000001',
          kind: 'purchased',
          credits: account.granted,
          left: Math.max(0, account.balance),
          priority: 100,
          expires_at: null,
          granted_at: '2026-11-01T00:00:00.000Z',
        },
      ],
      rate_limit: null,
      low_balance_credits: null,
      rate_card: null,
      test_clock: account.testClock === null ? null : formatInstant(account.testClock),
      now: formatMoment(at),
      window: window.label,
      window_ends_at: formatInstant(window.endsAt),
      window_credits_used: sumOf(
        account.calls.filter(({ call }) => windowOfCall(call) === window.label),
      ),
      opened_at: '2026-11-01T00:00:00.000Z',
      version: account.calls.length + 2,
    };
  }

  async windows(
    accountId: string,
    label: string | null,
    after: string | null,
    limit: number,
  ): Promise<Page<WindowKeyView> | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const running = this.calendar.windowAt(account.testClock ?? this.clock.now());
    const window = label === null ? running : (this.calendar.windowOf(label) ?? running);
    const keys = new Map<string, ChargedCall[]>();
    for (const charged of account.calls.filter(({ call }) => windowOfCall(call) === window.label)) {
      keys.set(charged.call.key, [...(keys.get(charged.call.key) ?? []), charged]);
    }
    const views = [...keys]
      .toSorted(([one], [two]) => (one < two ? -1 : 1))
      .map(([key, calls]): WindowKeyView => ({
        key,
        window: window.label,
        first_call_at: formatMoment(calls[0]?.at ?? 0),
        calls: calls.length,
        credits_used: sumOf(calls),
        window_ends_at: formatInstant(window.endsAt),
      }));
    return pageOf(views, after, limit);
  }

  async calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const { from, to, kind, resourceKey, apiKeyId, tag } = filter;
    const views = account.calls
      .filter(({ at }) => (from === null || at >= from) && (to === null || at < to))
      .map((charged) => this.#callView(charged))
      .filter((view) => kind === null || view.kind === kind)
      .filter((view) => resourceKey === null || view.key === resourceKey)
      .filter((view) => apiKeyId === null || view.api_key_id === apiKeyId)
      .filter((view) => {
        const value = tag && view.tags?.[tag.name];
        return tag === null || (tag.value === null ? value !== undefined : value === tag.value);
      });
    const ordered = filter.order === 'desc' ? views.toReversed() : views;
    return pageOf(ordered, filter.after, filter.limit);
  }

  async call(accountId: string | null, callId: string): Promise<CallExplanation | undefined> {
    for (const account of this.accounts.accounts.values()) {
      const charged = account.calls.find((one) => one.callId === callId);
      if (charged && (accountId === null || accountId === account.id)) {
        return this.#explain(account, charged);
      }
    }
    return undefined;
  }

  async events(accountId: string): Promise<Page<EventView> | undefined> {
    return this.accounts.accounts.has(accountId) ? { items: [], next: null } : undefined;
  }

  #callView({ callId, at, call }: ChargedCall): CallView {
    return {
      call_id: callId,
      at: formatMoment(at),
      key: call.key,
      kind: call.kind,
      call_cost: call.cost[0],
      data_cost: call.cost[1],
      credits_used: call.cost[0] + call.cost[1],
      balance_after: call.balance,
      api_key_id: this.accounts.keyOf(call.api_key)?.record.keyId ?? '',
      tags: call.tags ?? null,
    };
  }

  #explain(account: MemoryAccount, charged: ChargedCall): CallExplanation {
    const { call } = charged;
    const label = windowOfCall(call);
    const window = this.calendar.windowOf(label);
    if (!window) throw new Error(`${label} is no window.`);
    const opening = account.opened.get(call.key) ?? charged;
    return {
      ...this.#callView(charged),
      account_id: account.id,
      asked: account.asked.get(charged.callId) ?? call.key,
      window: label,
      data_window: call.key.split('/')[2] ?? '',
      window_starts_at: formatInstant(window.startsAt),
      window_ends_at: formatInstant(window.endsAt),
      window_local: {
        zone: this.calendar.zone,
        starts: this.calendar.localTime(window.startsAt),
        ends: this.calendar.localTime(window.endsAt),
      },
      opened_by: { call_id: opening.callId, at: formatMoment(opening.at) },
      rate_card: call.card,
      rule: call.rule,
      rows: call.rows,
      release: call.release,
      draws: call.draws.map(([, credits]) => ({
        grant_id: '00000000-0000-4000-a000-000000000001',
        credits,
      })),
      overdraft_credits: 0,
      balance_before: call.balance + call.cost[0] + call.cost[1],
      log: { lane: 1, position: account.calls.indexOf(charged) + 3, account_version: 3 },
      adjusted_by: null,
      invoice_line: null,
    };
  }
}

function sumOf(calls: readonly ChargedCall[]): number {
  return calls.reduce((sum, { call }) => sum + call.cost[0] + call.cost[1], 0);
}

/** A cursor is the number of items before the page, in an order that only grows at its end. */
function pageOf<Item>(items: readonly Item[], after: string | null, limit: number): Page<Item> {
  const start = after === null ? 0 : Number(after);
  if (!Number.isSafeInteger(start) || start < 0) throw new BadCursorError('unknown cursor');
  const end = start + limit;
  return { items: items.slice(start, end), next: end < items.length ? String(end) : null };
}
