import { afterCall } from './calls.js';
import { type AccountEvent, eventType } from './events.js';
import type { AccountState } from './state.js';

function isLow({ balance, lowBalance }: AccountState): boolean {
  return lowBalance !== null && balance < lowBalance;
}

/** The state after one more event. Never refuses: what happened, happened. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'CallMade') return afterCall(state, event.data, event.at);
  const { effect, opensMonth = true } = eventType(event.type);
  const after = {
    ...state,
    monthSince: opensMonth ? (state.monthSince ?? event.at) : state.monthSince,
    ...effect(state, event.data as never, event.at),
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, event.at),
  };
  // A balance that has risen again is reported again when it falls.
  return after.toldLow && !isLow(after) ? { ...after, toldLow: false } : after;
}
