import { grantCredits, type CreditEvent } from './credits.js';
import { commanded, originOf, type EventsOf, type Writer } from './event-type.js';
import { CREDITS_MAX, creditsLeft } from './limits.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState, Order } from './state.js';
import type { Origin } from './terms.js';

// These names are the stored format: types and members may be added, never renamed or removed.

/** The customer orders a package of credits, at the price that stood there. */
export interface TopUpOrdered extends Origin {
  readonly order_id: string;
  /** Name of the package. */
  readonly package: string;
  readonly credits: number;
  /** Net, in minor units. */
  readonly price: number;
  readonly currency: string;
  /** The grant follows in the same append; absent: an operator accepts or declines it. */
  readonly at_once?: true;
}

/** An order ends without credits: `TopUpCancelled` by the customer, or declined with a reason. */
export interface TopUpEnded extends Origin {
  readonly order_id: string;
}

export interface OrderTopUp {
  readonly command: 'order-top-up';
  readonly origin: Origin;
  readonly orderId: string;
  readonly package: string;
  readonly credits: number;
  readonly price: number;
  readonly currency: string;
  readonly isAtOnce: boolean;
}

/**
 * Ends an open order: it becomes a purchase, whose grant has the id of the order, or nothing, for
 * the origin's reason.
 */
interface EndTopUp {
  readonly command: 'accept-top-up' | 'decline-top-up' | 'cancel-top-up';
  readonly origin: Origin;
  readonly orderId: string;
}

export type OrderCommand = OrderTopUp | EndTopUp;

/** Where a purchase stands in the order of drawing unless an operator says otherwise. */
const PURCHASE_PRIORITY = 100;

/** Null where an order is open: an account has one at most. */
function orderTopUp(
  state: AccountState,
  { origin, orderId, credits, price, currency, isAtOnce, ...ordered }: OrderTopUp,
  at: number,
): OrderEvent | Refusal | null {
  if (state.order !== undefined) return null;
  if (currency !== state.currency) {
    return conflict(
      `The package costs ${currency}, the account is kept in another currency: order one in ${state.currency}.`,
    );
  }
  const left = creditsLeft(state);
  if (credits > left) {
    return conflict(`An account gets at most ${CREDITS_MAX} credits: ${left} more can be ordered.`);
  }
  const terms = { order_id: orderId, package: ordered.package, credits, price, currency };
  const data = { ...origin, ...terms, ...(isAtOnce && { at_once: true as const }) };
  return { type: 'TopUpOrdered', at, data };
}

function purchaseOf({ id: grantId, credits, price }: Order) {
  const bought = { grantId, credits, kind: 'purchased', price } as const;
  return { ...bought, priority: PURCHASE_PRIORITY, expiresAt: null, profile: null };
}

/** The grant of an accepted order closes it, so that each order is granted once. */
function endTopUp(
  state: AccountState,
  { command, origin, orderId }: EndTopUp,
  at: number,
): OrderEvent | CreditEvent | Refusal {
  const { order } = state;
  if (order?.id !== orderId) {
    return conflict('The order is not open any more: order the package again.');
  }
  if (command === 'accept-top-up') {
    return grantCredits(state, { command: 'grant-credits', origin, ...purchaseOf(order) }, at);
  }
  const type = command === 'decline-top-up' ? 'TopUpDeclined' : 'TopUpCancelled';
  return { type, at, data: { ...origin, order_id: orderId } };
}

/** The grant of an order that nobody has to accept. */
export function orderedCredits(state: AccountState, order: Order, origin: Origin): CreditEvent {
  const command = { command: 'grant-credits', origin, ...purchaseOf(order) } as const;
  const event = grantCredits(state, command, state.lastAt);
  if ('reason' in event) throw new Error(`Order ${order.id} cannot be granted: ${event.reason}.`);
  return event;
}

/** An order is made while none is open, and ends once. */
export function decideOrder(
  state: AccountState,
  command: OrderCommand,
  at: number,
): OrderEvent | CreditEvent | Refusal | null {
  return command.command === 'order-top-up'
    ? orderTopUp(state, command, at)
    : endTopUp(state, command, at);
}

function orderedWords(
  { credits, price, currency, package: name }: Partial<TopUpOrdered>,
  write: Writer,
): string {
  return `“${write.text(name)}”: ${write.credits(credits)} for ${write.money(price, currency)}`;
}

const page = { kind: 'orders' };

/** Orders of credits: open, then accepted (a grant with the order's id), declined or cancelled. */
export const ORDER_EVENTS = {
  TopUpOrdered: commanded<TopUpOrdered, 'top_up.ordered'>({
    effect: (_state, { order_id: id, package: name, credits, price, at_once: atOnce }) => ({
      order: { id, name, credits, price, isAtOnce: atOnce === true },
    }),
    command: (data): OrderTopUp => ({
      command: 'order-top-up',
      origin: originOf(data),
      orderId: data.order_id,
      package: data.package,
      credits: data.credits,
      price: data.price,
      currency: data.currency,
      isAtOnce: data.at_once === true,
    }),
    notification: {
      type: 'top_up.ordered',
      data: ({ order_id, package: name, credits, price, currency }) => {
        return { order_id, package: name, credits, price, currency };
      },
    },
    page,
    story: { title: 'Credits ordered', details: orderedWords },
  }),
  TopUpDeclined: commanded<TopUpEnded, 'top_up.declined'>({
    opensMonth: false,
    effect: () => ({ order: undefined }),
    command: (data): EndTopUp => ({
      command: 'decline-top-up',
      origin: originOf(data),
      orderId: data.order_id,
    }),
    notification: { type: 'top_up.declined', data: ({ order_id }) => ({ order_id }) },
    page,
    story: { title: 'Order declined', tone: 'warn' },
  }),
  TopUpCancelled: commanded<TopUpEnded, 'top_up.cancelled'>({
    opensMonth: false,
    effect: () => ({ order: undefined }),
    command: (data): EndTopUp => ({
      command: 'cancel-top-up',
      origin: originOf(data),
      orderId: data.order_id,
    }),
    notification: { type: 'top_up.cancelled', data: ({ order_id }) => ({ order_id }) },
    page,
    story: { title: 'Order cancelled', tone: 'warn' },
  }),
};

export type OrderEvent = EventsOf<typeof ORDER_EVENTS>;
