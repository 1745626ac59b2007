import { evolveAll } from './advance.js';
import { decide } from './decide.js';
import type { OrderTopUp } from './orders.js';
import { CREDITS_MAX } from './limits.js';
import { openAccount, origin, terms, TUESDAY } from './scenario.suite.js';
import { initialState, type AccountState } from './state.js';
import type { Command } from './commands.js';

const ORDER = '0197c000-0000-7000-8000-0000000000aa';

function order(members: Partial<OrderTopUp> = {}): OrderTopUp {
  const pack = { package: 'S', credits: 100_000, price: 120_000, currency: 'USD' };
  return { command: 'order-top-up', origin, orderId: ORDER, ...pack, isAtOnce: false, ...members };
}

function end(
  command: 'accept-top-up' | 'decline-top-up' | 'cancel-top-up',
  orderId = ORDER,
): Command {
  return { command, origin, orderId };
}

/** The types of the events of each command, or why it is refused, and the state after all. */
function given(...commands: Command[]): { said: unknown[]; state: AccountState } {
  let state = evolveAll(initialState, decide(initialState, openAccount(), TUESDAY, terms).events);
  const said = commands.map((command) => {
    const { events, refusal } = decide(state, command, TUESDAY, terms);
    state = evolveAll(state, events);
    return refusal === null ? events.map(({ type }) => type) : refusal.reason;
  });
  return { said, state };
}

it('an order gives no credits until it is accepted, and then a purchase with its id', () => {
  expect(given(order()).state).toMatchObject({ balance: 0, order: { id: ORDER } });
  const { said, state } = given(order(), end('accept-top-up'));
  expect(said).toEqual([['TopUpOrdered'], ['CreditsGranted']]);
  expect(state).toMatchObject({
    balance: 100_000,
    order: undefined,
    grants: [{ id: ORDER, kind: 'purchased', worth: { amount: 120_000, credits: 100_000 } }],
    billing: { unbilled: [{ grantId: ORDER, amount: 120_000, isMonthly: false }] },
  });
});

it('an order at once is granted in the same decision', () => {
  const { said, state } = given(order({ isAtOnce: true }));
  expect(said).toEqual([['TopUpOrdered', 'CreditsGranted']]);
  expect(state).toMatchObject({ balance: 100_000, order: undefined, grants: [{ id: ORDER }] });
});

it('an account has at most one open order: asked for again, nothing happens', () => {
  const { said, state } = given(order(), order({ orderId: 'other', credits: 5 }));
  expect(said).toEqual([['TopUpOrdered'], []]);
  expect(state.order?.credits).toBe(100_000);
});

it.each(['decline-top-up', 'cancel-top-up'] as const)('%s ends it for good', (ended) => {
  const { said, state } = given(order(), end(ended), end('accept-top-up'), end(ended));
  expect(said.slice(1)).toEqual([[expect.stringMatching(/^TopUp/)], 'conflict', 'conflict']);
  expect(state).toMatchObject({ balance: 0, order: undefined });
});

it('what is accepted is accepted once, and neither declined nor cancelled afterwards', () => {
  const ends = ['accept-top-up', 'decline-top-up', 'cancel-top-up'] as const;
  const { said, state } = given(order(), end('accept-top-up'), ...ends.map((one) => end(one)));
  expect(said.slice(2)).toEqual(['conflict', 'conflict', 'conflict']);
  expect(state.balance).toBe(100_000);
});

it('an order in another currency, or of more than an account can hold, is refused', () => {
  const { said } = given(order({ currency: 'EUR' }), order(), end('accept-top-up'));
  expect(said[0]).toBe('conflict');
  const most = order({ credits: CREDITS_MAX });
  expect(given(order({ isAtOnce: true }), most).said[1]).toBe('conflict');
});

it('a closed account orders nothing; its open order can only be declined or cancelled', () => {
  const close: Command = { command: 'close-account', origin };
  expect(given(close, order()).said[1]).toBe('account-closed');
  const { said } = given(order(), close, end('accept-top-up'), end('decline-top-up'));
  expect(said.slice(2)).toEqual(['account-closed', ['TopUpDeclined']]);
});
