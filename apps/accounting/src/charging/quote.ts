import { assessCall, callAt, refuseCaller, type Terms } from '#account/decide-call.js';
import type { QuoteItem, QuoteOutcome, QuoteRequest, QuotedCall } from '#account/charging.js';
import { evolve } from '#account/evolve.js';
import { recall, type AccountState } from '#account/state.js';
import { firstPrice } from './first-price.js';

/** A state after a call that was only priced, so that the next price stands on it. */
function supposing(
  state: AccountState,
  request: QuoteRequest,
  item: QuoteItem,
  quoted: QuotedCall,
  at: number,
): AccountState {
  const { apiKey } = request;
  const price = { kind: quoted.kind, cost: quoted.cost, card: quoted.card, rule: quoted.rule };
  const after = evolve(
    state,
    callAt(state, { ...item, apiKey, asked: item.key, tags: null }, price, at),
  );
  // The first call of a window drops the keys of the one before, which later items may ask for.
  return after.window === state.window ? after : recall(after, [...state.opened]);
}

/**
 * Prices calls as if they were made in order at a moment, by the very functions that charge them.
 * The state must know of each key whether it was opened.
 */
export function quoteCalls(
  state: AccountState,
  request: QuoteRequest,
  at: number,
  terms: Terms,
): QuoteOutcome {
  const caller = refuseCaller(state, request.apiKey, at);
  if (caller !== null && caller.reason !== 'scope-missing') {
    return { outcome: 'refused', refusal: caller };
  }
  const next = terms.calendar.nextWindow(terms.calendar.windowAt(at)).label;
  const items: QuotedCall[] = [];
  let current = state;
  for (const item of request.items) {
    const assessed = assessCall(
      current,
      { ...item, apiKey: request.apiKey, maxCredits: null },
      at,
      terms,
    );
    if ('moved' in assessed) return { outcome: 'refused', refusal: assessed.moved };
    const quoted = {
      ...assessed.price,
      nextWindowCredits: firstPrice(state, item, next, terms),
      refusal: assessed.refusal,
    };
    items.push(quoted);
    if (quoted.refusal === null) current = supposing(current, request, item, quoted, at);
  }
  return { outcome: 'quoted', items, balance: state.overdraft === null ? null : state.balance };
}
