import { accountEvent, type AccountEvent } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { ApiKeyIds } from '#ledger/usage/api-keys.js';
import { callView } from '#ledger/usage/call-view.js';

/** What a page is told: which kind of thing has happened, and what it needs to know of it. */
export interface FeedMessage {
  /** Version of the account; what a stream that broke off goes on behind. */
  readonly version: number;
  readonly kind: string;
  readonly data: object;
}

type Told = readonly [kind: string, data: object];

/** An event as its customer's pages are told of it; null: it is none of theirs. */
export function feedMessage(stored: StoredEvent, apiKeys: ApiKeyIds): FeedMessage | null {
  const { accountVersion: version } = stored;
  if (stored.type === 'CallMade') {
    return { version, kind: 'call', data: callView(apiKeys)(stored) };
  }
  const at = formatMoment(stored.at);
  const told = toldOf(accountEvent(stored.type, stored.at, stored.data), at);
  return told && { version, kind: told[0], data: told[1] };
}

/** Members are named one by one: what an event holds beside them is for operators. */
function toldOf(event: AccountEvent, at: string): Told | null {
  switch (event.type) {
    case 'BudgetThresholdCrossed': {
      const { budget_id, period, threshold, limit, spent, call_id } = event.data;
      const credits = { limit_credits: limit, spent_credits: spent };
      return ['alert', { budget_id, period, threshold, ...credits, call_id, at }];
    }
    case 'BudgetBlocked':
      return ['blocked', { budget_id: event.data.budget_id, at }];
    case 'BudgetSet':
    case 'BudgetRemoved':
    case 'BudgetForecastExceeded':
      return ['budget', { budget_id: event.data.budget_id, at }];
    case 'ApiKeyIssued':
    case 'ApiKeyRevoked':
    case 'ApiKeyEndSet':
      return ['api_key', { id: event.data.key_id, at }];
    case 'CreditsGranted':
    case 'GrantExpired':
    case 'GrantVoided':
    case 'Adjusted':
    case 'MonthClosed':
    case 'BalanceLow':
      return ['credits', { balance: event.data.balance, at }];
    case 'WindowClosed':
      return ['window', { window: event.data.window, at }];
    case 'TestClockMoved':
      return ['clock', { now: event.data.now, at }];
    case 'BillingDetailsChanged':
    case 'InvoiceSealed':
    case 'CreditNoteSealed':
    case 'PaymentRecorded':
    case 'InvoiceOverdue':
      return ['invoice', { at }];
    case 'AccountOpened':
    case 'AccountChanged':
    case 'AccountSuspended':
    case 'AccountResumed':
    case 'AccountClosed':
    case 'ProfileErased':
      return ['account', { at }];
    case 'PortalSessionOpened':
    case 'PortalSessionRevoked':
    case 'CallMade':
    case 'CallReplayed':
      return null;
  }
}
