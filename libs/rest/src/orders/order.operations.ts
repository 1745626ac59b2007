import { LEDGER } from '#projections/projections/ledger.projection.js';
import { created, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { Reason } from '../operation/reason.js';
import { SALES_CHANGE, SALES_READ, STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import {
  DeclineOrder,
  OPEN_ORDERS_QUERY,
  Order,
  ORDERS_QUERY,
  OrderTopUp,
} from './order.schemas.js';
import { Orders } from './orders.js';

const OF_ACCOUNT = '/accounts/{account_id}/orders';
const COLUMNS = ['id', 'status', 'package', 'credits', 'price', 'currency', 'ordered_at'] as const;

const { read, change } = operationsOf<Orders>('Orders');

const order = change({
  id: 'orderTopUp',
  method: 'post',
  path: OF_ACCOUNT,
  summary: 'Orders a package of credits',
  description:
    'An account has one open order at most: where there is one, it is returned. The order holds credits ' +
    'and price as they are now. An operator accepts or declines it; where the seller gives credits at once, ' +
    'it is accepted in the same moment. An accepted order is a purchase, and invoiced as one.',
  access: SALES_CHANGE,
  body: OrderTopUp,
  answer: created(Order),
  problems: ['conflict'],
  location: ({ id }, { path }) => `${OF_ACCOUNT.replace('{account_id}', path.account_id)}/${id}`,
  cli: {
    name: 'order add',
    description: 'order a package for a customer, as the seller offers it',
    example: 'Acme Starter 100000 120000',
    arguments: ['package', 'credits', 'price'],
  },
  run: (orders, { path, change: made, body }) => orders.order(path.account_id, made, body),
});

const list = read({
  id: 'listOrders',
  path: OF_ACCOUNT,
  summary: 'Orders of credits of an account, oldest first',
  description:
    'Read from the log itself: open, accepted, declined and cancelled ones, with the invoice of what was ' +
    'accepted.',
  access: SALES_READ,
  query: ORDERS_QUERY,
  answer: page(Order),
  cli: {
    name: 'order list',
    description: 'orders of an account',
    example: 'Acme',
    columns: COLUMNS,
  },
  run: async (orders, { path, query }) => ({ view: await orders.list(path.account_id, query) }),
});

const listOpen = read({
  id: 'listOpenOrders',
  path: '/open-orders',
  summary: 'Open orders of all accounts, oldest first',
  description: 'What operators have to answer: each is accepted or declined on its account.',
  access: STAFF_READ,
  query: OPEN_ORDERS_QUERY,
  answer: page(Order),
  waitsFor: () => LEDGER,
  cli: {
    name: 'order open',
    description: 'open orders of all accounts',
    example: '',
    columns: ['account_name', ...COLUMNS],
  },
  run: async (orders, { query: { test, ...query } }) => {
    const view = await orders.listOpen(test === undefined ? undefined : test === 'true', query);
    return { view };
  },
});

const accept = change({
  id: 'acceptOrder',
  method: 'post',
  path: `${OF_ACCOUNT}/{order_id}/accept`,
  summary: 'Accepts an open order',
  description:
    'Its credits are granted as a purchase with the id of the order, and invoiced as purchases are. It ' +
    'happens once: an order that is not open any more is refused (409).',
  access: STAFF_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(Order),
  problems: ['conflict'],
  cli: {
    name: 'order accept',
    description: 'grant the credits of an open order, and invoice them',
    example: 'Acme 8b9c…',
  },
  run: (orders, { path, change: made }) => orders.accept(path.account_id, path.order_id, made),
});

const decline = change({
  id: 'declineOrder',
  method: 'post',
  path: `${OF_ACCOUNT}/{order_id}/decline`,
  summary: 'Declines an open order',
  description: 'The customer reads the reason, also in an e-mail where there is a mail server.',
  access: STAFF_CHANGE,
  body: DeclineOrder,
  answer: ok(Order),
  problems: ['conflict'],
  cli: {
    name: 'order decline',
    description: 'decline an open order',
    example: 'Acme 8b9c… "An earlier invoice is overdue."',
    arguments: ['reason'],
  },
  run: (orders, { path, change: made }) => orders.decline(path.account_id, path.order_id, made),
});

const cancel = change({
  id: 'cancelOrder',
  method: 'post',
  path: `${OF_ACCOUNT}/{order_id}/cancel`,
  summary: 'Cancels an open order',
  description: 'Nothing is granted or invoiced. One that was accepted meanwhile is refused (409).',
  access: SALES_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(Order),
  problems: ['conflict'],
  cli: {
    name: 'order cancel',
    description: 'cancel an open order for a customer',
    example: 'Acme 8b9c…',
  },
  run: (orders, { path, change: made }) => orders.cancel(path.account_id, path.order_id, made),
});

/** Orders of credits by customers, and the answers of operators. */
export const ORDERS: Resource = {
  service: Orders,
  operations: [order, list, listOpen, accept, decline, cancel],
};
