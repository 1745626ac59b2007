import type { ChargedCall } from '#account/charging.js';
import { windowOfCall } from '#account/evolve.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { memberOfKey, nameOfKey, windowOfKey } from '#rating/key-parts.js';
import { BadMomentError } from '#web/read-errors.js';
import {
  type AccountReads,
  type AccountView,
  type Batches,
  type CallExplanation,
  type CallFilter,
  type CallView,
  type EventView,
  type GrantCallView,
  type Page,
  type UsageFilter,
  type UsageView,
  type WindowFilter,
  type WindowKeyView,
} from '#ledger/views/account-reads.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import type { MemoryAccount, MemoryAccounts } from './memory-accounts.js';

/** Every account has one grant. */
export const GRANT_ID = '00000000-0000-4000-a000-000000000001';

/** Reads of accounts, from the accounts in memory. */
export class MemoryReads implements AccountReads {
  constructor(
    private readonly accounts: MemoryAccounts,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  async account(accountId: string, asOf: number | null = null): Promise<AccountView | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const now = account.testClock ?? this.clock.now();
    if (asOf !== null && asOf > now) throw new BadMomentError(asOf, 'It is not yet');
    const at = asOf ?? now;
    const window = this.calendar.windowAt(at);
    const calls = account.calls.filter((one) => one.at <= at);
    const balance = account.granted - sumOf(calls);
    return {
      id: account.id,
      name: account.name,
      status: account.suspended ? 'suspended' : 'active',
      test: account.testClock !== null,
      currency: 'USD',
      balance,
      overdraft_credits: account.overdraft,
      available_credits: account.overdraft === null ? null : balance + account.overdraft,
      grants: [
        {
          id: GRANT_ID,
          kind: 'purchased',
          credits: account.granted,
          left: Math.max(0, balance),
          priority: 100,
          expires_at: null,
          granted_at: '2026-11-01T00:00:00.000Z',
        },
      ],
      rate_limit: null,
      low_balance_credits: null,
      rate_card: null,
      plan: null,
      plan_next_month: null,
      test_clock: account.testClock === null ? null : formatInstant(account.testClock),
      now: formatMoment(at),
      window: window.label,
      window_ends_at: formatInstant(window.endsAt),
      window_credits_used: sumOf(calls.filter(({ call }) => windowOfCall(call) === window.label)),
      budgets: [],
      forecast: { exhausted_at: null },
      opened_at: '2026-11-01T00:00:00.000Z',
      version: calls.length + 2,
    };
  }

  async windows(
    accountId: string,
    { window: label, after, limit, asOf }: WindowFilter,
  ): Promise<Page<WindowKeyView> | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const running = this.calendar.windowAt(account.testClock ?? this.clock.now());
    const window = label === null ? running : (this.calendar.windowOf(label) ?? running);
    const keys = new Map<string, ChargedCall[]>();
    for (const charged of account.calls) {
      const isLater = asOf !== null && charged.at > asOf;
      if (isLater || windowOfCall(charged.call) !== window.label) continue;
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

  async usage(accountId: string, filter: UsageFilter): Promise<Page<UsageView> | undefined> {
    const account = this.accounts.accounts.get(accountId);
    if (!account) return undefined;
    const { by, from, to, asOf, after, limit } = filter;
    const groups = new Map<string, ChargedCall[]>();
    if (by.length === 0) groups.set('[]', []);
    for (const charged of account.calls) {
      const { at } = charged;
      const isOut = (from !== null && at < from) || (to !== null && at >= to);
      if (isOut || (asOf !== null && at > asOf)) continue;
      for (const place of this.#placesOf(charged, by)) {
        groups.set(place, [...(groups.get(place) ?? []), charged]);
      }
    }
    const ordered = [...groups].toSorted(([one], [two]) => (one < two ? -1 : 1));
    const views = ordered.map(([place, calls]) => usageView(by, place, calls));
    return pageOf(views, after, limit);
  }

  /** The groups of a call, as JSON; several for one with several tags. */
  #placesOf({ at, call }: ChargedCall, by: UsageFilter['by']): string[] {
    const day = this.calendar.dayAt(at).label;
    const resource = nameOfKey(call.key);
    const tags = Object.entries(call.tags ?? {}).map(([name, value]) => `${name}=${value}`);
    const place = (tag: string): string =>
      JSON.stringify(
        by.map((name) => {
          const values = {
            day,
            month: day.slice(0, 7),
            window: windowOfCall(call),
            resource,
            region: memberOfKey(call.key, resource, 'region'),
            rule: call.rule,
            kind: call.kind,
            api_key: this.accounts.keyOf(call.api_key)?.record.keyId ?? '',
            key: call.key,
            tag,
          };
          return values[name];
        }),
      );
    const isByTag = by.includes('tag') && tags.length > 0;
    return isByTag ? tags.map(place) : [place('')];
  }

  async calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined> {
    const views = this.#passing(accountId, filter);
    return views && pageOf(views, filter.after, filter.limit);
  }

  async everyCall(accountId: string, filter: CallFilter): Promise<Batches<CallView> | undefined> {
    const views = this.#passing(accountId, filter);
    return views && batchesOf(views);
  }

  async grantCalls(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Page<GrantCallView> | undefined> {
    const views = this.#drawing(accountId, grantId, filter);
    return views && pageOf(views, filter.after, filter.limit);
  }

  async everyGrantCall(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Batches<GrantCallView> | undefined> {
    const views = this.#drawing(accountId, grantId, filter);
    return views && batchesOf(views);
  }

  #drawing(accountId: string, grantId: string, filter: CallFilter): GrantCallView[] | undefined {
    if (grantId !== GRANT_ID) return undefined;
    const views = this.#passing(accountId, filter);
    return views?.map((view) => ({ ...view, credits_drawn: view.credits_used }));
  }

  #passing(accountId: string, filter: CallFilter): CallView[] | undefined {
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
    return filter.order === 'desc' ? views.toReversed() : views;
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
      data_window: windowOfKey(call.key),
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
        grant_id: GRANT_ID,
        credits,
      })),
      overdraft_credits: 0,
      balance_before: call.balance + call.cost[0] + call.cost[1],
      log: { lane: 1, position: account.calls.indexOf(charged) + 3, account_version: 3 },
      adjusted_by: null,
      credited_by: [],
      invoice_line: null,
    };
  }
}

function usageView(by: UsageFilter['by'], place: string, calls: readonly ChargedCall[]): UsageView {
  const values = JSON.parse(place) as string[];
  const sum = (part: 0 | 1): number => calls.reduce((all, { call }) => all + call.cost[part], 0);
  return {
    ...Object.fromEntries(by.map((name, index) => [name, values[index] || null])),
    calls: calls.length,
    call_cost: sum(0),
    data_cost: sum(1),
    credits_used: sum(0) + sum(1),
  };
}

async function* batchesOf<Item>(items: readonly Item[]): Batches<Item> {
  for (let start = 0; start < items.length; start += 2) yield items.slice(start, start + 2);
}

function sumOf(calls: readonly ChargedCall[]): number {
  return calls.reduce((sum, { call }) => sum + call.cost[0] + call.cost[1], 0);
}

/** A cursor is the number of items before the page, in an order that only grows at its end. */
function pageOf<Item>(items: readonly Item[], after: string | null, limit: number): Page<Item> {
  const start = after === null ? 0 : decodeNumberCursor(after);
  const end = start + limit;
  return { items: items.slice(start, end), next: end < items.length ? encodeCursor(end) : null };
}
