import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import type { AccountState } from './state.js';

/** Moment of the next event that falls due by itself, ms since 1970; null when there is none. */
export function dueAt(state: AccountState): number | null {
  let due: number | null = null;
  for (const { expiresAt } of state.grants) {
    if (expiresAt !== null && (due === null || expiresAt < due)) due = expiresAt;
  }
  return due;
}

/** The event that falls due at a moment: what is left of a grant expires with it. */
function dueEvent(state: AccountState, at: number): AccountEvent {
  const grant = state.grants.find(({ expiresAt }) => expiresAt === at);
  if (grant === undefined) throw new Error(`Nothing falls due at ${at}.`);
  const balance = state.balance - grant.left;
  return {
    type: 'GrantExpired',
    at,
    data: { grant: grant.ordinal, grant_id: grant.id, credits: grant.left, balance },
  };
}

/**
 * Every event that has become due up to now (inclusive, ms since 1970), in time order, each with
 * its own moment. Two steps over the halves of a period yield the same as one over the whole.
 */
export function advance(state: AccountState, now: number): AccountEvent[] {
  const events: AccountEvent[] = [];
  let current = state;
  for (let due = dueAt(current); due !== null && due <= now; due = dueAt(current)) {
    const event = dueEvent(current, due);
    events.push(event);
    current = evolve(current, event);
  }
  return events;
}

/** A state with events applied in order. */
export function evolveAll(state: AccountState, events: readonly AccountEvent[]): AccountState {
  return events.reduce(evolve, state);
}
