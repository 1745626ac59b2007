import type { Calendar } from '#calendar/calendar.js';
import { isKeyOf, windowOfKey } from '#rating/key-parts.js';
import { resourceOfKey } from '#rating/resource-key.js';
import { budgetRoom } from './budget-limits.js';
import { type CallEvent, pinName } from './calls.js';
import { type Price, priceFor, refusePrice, type Terms } from './decide-call.js';
import { drawsFor } from './grants.js';
import { CLOSED } from './holds.js';
import { creditsToCharge, creditsToTake } from './limits.js';
import { type Hold, openHold, withoutHold } from './open-holds.js';
import type { Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import type { Units } from './terms.js';

/** How long after its expiry a hold can still be settled, as a call of its own. */
export const LATE_MS = 7 * 86_400_000;

/** Charges what was held for, once its work is done. */
export interface SettleHold {
  readonly command: 'settle-hold';
  readonly hold: string;
  readonly rows: number;
  readonly units?: Units | undefined;
  /** The hold, where it has expired: the log says so, the state does not hold it any more. */
  readonly expired?: Hold | undefined;
}

/**
 * Price of the call of a hold, by the card of its placement: base or repeat as of now. Refuses
 * units that the card does not price.
 */
function priceOfHold(
  { opened }: AccountState,
  { key, card }: Hold,
  { rows, units }: SettleHold,
  { cards }: Terms,
): Price | Refusal {
  const resource = resourceOfKey(key);
  if (resource === undefined) throw new Error(`${key} is no key of a resource.`);
  const window = windowOfKey(key);
  const pinnedCards = { [pinName(key, window)]: card };
  const priced = { rateCard: null, rateCards: undefined, pinnedCards, opened };
  return priceFor(priced, { key, resource, rows, units }, window, cards);
}

/**
 * Credits that a settlement charges of its price. What was held is charged as far as the account
 * still has it, whatever else is held; what goes beyond only where funds, budgets and the ceiling
 * allow it.
 */
function settledCredits(state: AccountState, hold: Hold, price: number): number {
  const funds = Math.max(0, creditsToTake(state));
  const covered = Math.min(price, hold.credits, funds);
  if (hold.over === 'cap' || price <= covered) return covered;
  const others = { ...state, holds: withoutHold(state.holds, hold.id) };
  const room = Math.min(creditsToCharge(others), budgetRoom(others, hold.apiKey));
  return Math.max(covered, Math.min(price, hold.max ?? price, room));
}

/**
 * Decides a settlement: the call, or why not. An open hold is always settled, also of an account
 * that was suspended or closed meanwhile; one that has expired is a call of its own within seven
 * days, if it can be paid.
 */
export function settleHold(
  state: AccountState,
  command: SettleHold,
  at: number,
  terms: Terms,
): CallEvent | Refusal {
  const hold = openHold(state.holds, command.hold);
  if (hold !== undefined) {
    const price = priceOfHold(state, hold, command, terms);
    if ('reason' in price) return price;
    const credits = settledCredits(state, hold, price.cost[0] + price.cost[1]);
    return callOfHold(state, hold, { ...command, price, credits }, at, terms.calendar);
  }
  return settleLate(state, command, at, terms);
}

function settleLate(
  state: AccountState,
  command: SettleHold,
  at: number,
  terms: Terms,
): CallEvent | Refusal {
  const { expired: hold } = command;
  if (hold === undefined || state.closedAt !== null) return CLOSED;
  if (at - hold.expiresAt > LATE_MS) return CLOSED;
  const price = priceOfHold(state, hold, command, terms);
  if ('reason' in price) return price;
  const due = price.cost[0] + price.cost[1];
  const most = hold.over === 'cap' ? hold.credits : (hold.max ?? due);
  const credits = Math.min(due, most);
  const charged: Price = { ...price, cost: [credits, 0] };
  const refusal = refusePrice(state, charged, hold.apiKey, null, at, terms.calendar);
  if (refusal !== null) return refusal;
  const settled = { ...command, price, credits, late: true as const };
  return callOfHold(state, hold, settled, at, terms.calendar);
}

/** The call that a settlement makes: in the week of the settlement, of the key of the placement. */
function callOfHold(
  state: AccountState,
  hold: Hold,
  {
    price,
    credits,
    rows,
    units,
    late,
  }: Pick<SettleHold, 'rows' | 'units'> & {
    readonly price: Price;
    readonly credits: number;
    readonly late?: true;
  },
  at: number,
  calendar: Calendar,
): CallEvent {
  const window = calendar.windowAt(at).label;
  const callCost = Math.min(price.cost[0], credits);
  const waived = price.cost[0] + price.cost[1] - credits;
  return {
    type: 'CallMade',
    at,
    data: {
      key: hold.key,
      window: isKeyOf(hold.key, window) ? undefined : window,
      // The data of other products has no releases.
      release: '',
      api_key: hold.apiKey,
      rows,
      kind: price.kind,
      cost: [callCost, credits - callCost],
      card: price.card,
      rule: price.rule,
      draws: drawsFor(state.grants, credits),
      balance: state.balance - credits,
      tags: hold.tags,
      request: hold.request,
      units,
      hold: hold.id,
      waived: waived === 0 ? undefined : waived,
      late,
    },
  };
}
