import type { Calendar } from '#calendar/calendar.js';
import { INDEX } from '#rating/index-keys.js';
import { isIndexKey, isKeyOf, productOfKey, windowOfKey } from '#rating/key-parts.js';
import type { RateCard } from '#rating/rate-card.js';
import { findInForce, priceOf, priceOfUnits } from '#rating/rate.js';
import { askedForm } from '#rating/resource-key.js';
import { refuseBudget } from './budget-limits.js';
import type { ChargeRequest, QuoteItem } from './charging.js';
import { type CallEvent, pinName } from './calls.js';
import { drawsFor } from './grants.js';
import { creditsToCharge } from './limits.js';
import { ownCard } from './own-cards.js';
import type { Refusal } from './refusal.js';
import { type AccountState, isOver } from './state.js';
import type { CallKind } from './terms.js';

/** Terms of a decision beside the state: the billing zone's calendar and the rate cards. */
export interface Terms {
  readonly calendar: Calendar;
  readonly cards: readonly RateCard[];
}

/** Price of one more call of a key. */
export interface Price {
  readonly kind: CallKind;
  /** Credits: call cost, data cost. */
  readonly cost: readonly [number, number];
  readonly card: number;
  readonly rule: string;
}

/** The part of a state on which a price depends. */
export type PricedState = Pick<AccountState, 'rateCard' | 'rateCards' | 'pinnedCards'> & {
  readonly opened: Pick<AccountState['opened'], 'has'>;
};

/**
 * The card that prices an account's calls of a key's product in a window: its own, that which a
 * test account has pinned, or the one in force. Undefined where the product has none.
 */
function cardFor(
  state: PricedState,
  key: string,
  window: string,
  cards: readonly RateCard[],
): RateCard | undefined {
  const version = ownCard(state, key) ?? state.pinnedCards[pinName(key, window)];
  if (version === undefined) {
    return findInForce(cards, window, isIndexKey(key) ? INDEX : productOfKey(key));
  }
  const card = cards.find((candidate) => candidate.version === version);
  if (card === undefined) throw new Error(`There is no rate card ${version}.`);
  return card;
}

/** Price of a call of an account in the window named (specification 8.1), or why it has none. */
export function priceFor(
  state: PricedState,
  item: Pick<QuoteItem, 'key' | 'resource' | 'rows' | 'units'>,
  window: string,
  cards: readonly RateCard[],
): Price | Refusal {
  const { key, resource, rows, units } = item;
  const card = cardFor(state, key, window, cards);
  if (card === undefined) return { reason: 'no-rate-card', product: productOfKey(key) };
  const price =
    units === undefined ? priceOf(card, resource, rows) : priceOfUnits(card, resource, units);
  if ('unpriced' in price) return { reason: 'units-unpriced', detail: price.unpriced };
  const { cost, rule } = price;
  if (card.repeat === 'never') return { kind: 'each', cost, card: card.version, rule };
  if (!state.opened.has(key)) return { kind: 'base', cost, card: card.version, rule };
  return { kind: 'repeat', cost: [cost[0], 0], card: card.version, rule };
}

/**
 * Whether the account and the API key (an ordinal) may call at all at this moment. Without a key
 * (null) the account alone decides.
 */
export function refuseCaller(
  state: AccountState,
  ordinal: number | null,
  at: number,
): Refusal | null {
  const key = state.apiKeys.find((one) => one.ordinal === ordinal);
  if (ordinal !== null && (key === undefined || isOver(key, at))) return { reason: 'key-invalid' };
  if (state.suspended) return { reason: 'account-suspended' };
  if (key?.scopes.includes('data') === false) return { reason: 'scope-missing', scope: 'data' };
  return null;
}

/** Whether key, data and price still belong together. */
function refuseMoved(state: AccountState, item: QuoteItem, window: string): Refusal | null {
  if (item.window !== window) return { reason: 'window-moved', window };
  const pinned =
    state.testClock === null ? undefined : state.pins[pinName(item.key, windowOfKey(item.key))];
  if (pinned === undefined || pinned === item.release) return null;
  return { reason: 'release-moved', release: pinned };
}

/**
 * Whether a price is above the client's ceiling, above what the account may spend, or above what a
 * budget leaves to the API key (an ordinal).
 */
export function refusePrice(
  state: AccountState,
  price: Price,
  apiKey: number,
  maxCredits: number | null,
  at: number,
  calendar: Calendar,
): Refusal | null {
  const requiredCredits = price.cost[0] + price.cost[1];
  const { kind } = price;
  if (maxCredits !== null && requiredCredits > maxCredits) {
    return { reason: 'price-above-maximum', requiredCredits, maxCredits, kind };
  }
  const available = creditsToCharge(state);
  if (requiredCredits <= available) {
    return refuseBudget(state, apiKey, requiredCredits, at, calendar);
  }
  const { balance, holds } = state;
  const shown = { requiredCredits, balance, availableCredits: Math.max(0, available), kind };
  if (holds === undefined || requiredCredits > available + holds.credits) {
    return { reason: 'out-of-credits', ...shown };
  }
  const [{ expiresAt } = { expiresAt: at }] = holds.open;
  const freeIn = expiresAt - at;
  return { reason: 'credits-held', ...shown, heldCredits: holds.credits, freeIn };
}

/** The one place where a call is priced or refused; quote and charge both stand on it. */
export function assessCall(
  state: AccountState,
  item: QuoteItem & Pick<ChargeRequest, 'apiKey' | 'maxCredits'>,
  at: number,
  terms: Terms,
): { readonly price: Price; readonly refusal: Refusal | null } | { readonly unpriced: Refusal } {
  const window = terms.calendar.windowAt(at).label;
  const moved = refuseMoved(state, item, window);
  if (moved !== null) return { unpriced: moved };
  const price = priceFor(state, item, window, terms.cards);
  if ('reason' in price) return { unpriced: price };
  const { apiKey, maxCredits } = item;
  return { price, refusal: refusePrice(state, price, apiKey, maxCredits, at, terms.calendar) };
}

/** The event of a call at a price, as stored in the log: without undefined members. */
export function callAt(
  state: AccountState,
  request: Omit<ChargeRequest, 'callId' | 'accountId' | 'maxCredits' | 'isRetry' | 'notAfter'>,
  price: Price,
  at: number,
): CallEvent {
  const credits = price.cost[0] + price.cost[1];
  return {
    type: 'CallMade',
    at,
    data: {
      key: request.key,
      asked: askedForm(request.key, request.asked),
      window: isKeyOf(request.key, request.window) ? undefined : request.window,
      release: request.release,
      api_key: request.apiKey,
      rows: request.rows,
      kind: price.kind,
      cost: price.cost,
      card: price.card,
      rule: price.rule,
      draws: drawsFor(state.grants, credits),
      balance: state.balance - credits,
      tags: request.tags ?? undefined,
      request: request.requestId,
      units: request.units,
    },
  };
}

/** Decides one metered call at a moment: its event, or why not. */
export function decideCall(
  state: AccountState,
  request: ChargeRequest,
  at: number,
  terms: Terms,
): CallEvent | Refusal {
  const caller = refuseCaller(state, request.apiKey, at);
  if (caller !== null) return caller;
  const assessed = assessCall(state, request, at, terms);
  if ('unpriced' in assessed) return assessed.unpriced;
  return assessed.refusal ?? callAt(state, request, assessed.price, at);
}
