import type { CallMade } from '#account/calls.js';
import type { AccountEvent } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import { debtOf } from '#account/grants.js';
import { openMonth } from '#account/months.js';
import type { MonthClosed } from '#account/periods.js';
import { worthAfter } from '#account/rounding.js';
import { initialState } from '#account/state.js';
import type { Draw } from '#account/terms.js';
import type { Calendar } from '#calendar/calendar.js';
import type { MonthFacts, Movement, OpeningGrant, UsageSum } from './month-facts.js';
import { movementsOf, voidedSince } from './movements.js';

/** A month while its events are read. */
interface Reading {
  readonly from: number;
  readonly opening: MonthFacts['opening'];
  readonly usage: UsageSum[];
  readonly movements: Movement[];
}

type Grants = Map<number, OpeningGrant>;

/** All months of an account: those that were closed, and the one that runs, if anything did. */
export interface AccountMonths {
  readonly closed: readonly MonthFacts[];
  readonly running: MonthFacts | null;
}

function take(grants: Grants, draws: readonly Draw[]): void {
  for (const [ordinal, credits] of draws) {
    const grant = grants.get(ordinal);
    if (grant === undefined) throw new Error(`Grant ${ordinal} was drawn on before it was given.`);
    grants.set(ordinal, { ...grant, left: grant.left - credits });
  }
}

function usageOf({ rule, kind, cost }: CallMade): UsageSum {
  return { rule, kind, calls: 1, credits: cost[0] + cost[1] };
}

/** Keeps what a grant holds after an event that gives, adjusts, voids or ends one. */
function follow(grants: Grants, event: AccountEvent): void {
  if (event.type === 'CreditsGranted') {
    const { grant: ordinal, grant_id: id, kind, credits, price, repaid } = event.data;
    grants.set(ordinal, { ordinal, id, kind, credits, price, left: credits - repaid });
  } else if (event.type === 'Adjusted') {
    const { grant: ordinal, grant_id: id, credits, repaid, draws } = event.data;
    take(grants, draws);
    if (ordinal === null) return;
    const left = credits - repaid;
    grants.set(ordinal, { ordinal, id: id ?? '', kind: 'adjustment', credits, price: null, left });
  } else if (event.type === 'GrantExpired' || event.type === 'GrantVoided') {
    const { grant: ordinal, credits } = event.data;
    const before = grants.get(ordinal);
    take(grants, [[ordinal, credits]]);
    const after = grants.get(ordinal);
    if (event.type === 'GrantExpired' || !before || !after || !event.data.left) return;
    grants.set(ordinal, { ...after, worth: revalued(before, after.left, event.data.refund ?? 0) });
  }
}

/** A credit note took credits of a purchase for an amount: the rest is worth what is left. */
function revalued({ price, credits, left, worth }: OpeningGrant, rest: number, amount: number) {
  return worthAfter(worth ?? { amount: price ?? 0, credits }, left, rest, amount);
}

function read(month: Reading, grants: Grants, event: AccountEvent): void {
  if (event.type === 'CallMade') {
    take(grants, event.data.draws);
    month.usage.push(usageOf(event.data));
    return;
  }
  follow(grants, event);
  month.movements.push(...movementsOf(event));
}

function withSomethingLeft(grants: Grants): OpeningGrant[] {
  return [...grants.values()].filter(({ left }) => left > 0);
}

function leftOf(grants: Grants): (readonly [number, number])[] {
  return withSomethingLeft(grants).map(({ ordinal, left }) => [ordinal, left]);
}

function closedFacts(reading: Reading, grants: Grants, close: MonthClosed, to: number): MonthFacts {
  const { from, ...month } = reading;
  const { month: label, plan, balance_before: balance, overage, carried } = close;
  const closing = { balance, overage, carried, grants: leftOf(grants) };
  return { ...month, month: label, plan, closing, version: { from, to } };
}

/** As if the month were closed after its newest event; null where nothing has happened in it. */
function runningFacts(
  reading: Reading,
  grants: Grants,
  events: readonly AccountEvent[],
  calendar: Calendar,
): MonthFacts | null {
  const state = events.reduce(evolve, initialState);
  const label = openMonth(state, calendar)?.label;
  if (label === undefined) return null;
  const { from, ...month } = reading;
  const { balance, plan } = state;
  const debt = debtOf(balance);
  const overage = plan === null ? 0 : debt;
  const closing = { balance, overage, carried: debt - overage, grants: leftOf(grants) };
  return { ...month, month: label, plan, closing, version: { from, to: events.length } };
}

/**
 * The months of an account from all its events, from the first one on, one after the other. What
 * has fallen due by the moment that is asked about must be among them. It takes as long as there
 * are events, and is what faster readings of the same facts are held against.
 */
export function monthFactsFromEvents(
  events: readonly AccountEvent[],
  calendar: Calendar,
): AccountMonths {
  const closed: MonthFacts[] = [];
  const grants: Grants = new Map();
  const start = (from: number, balance: number): Reading => ({
    from,
    opening: { balance, grants: withSomethingLeft(grants) },
    usage: [],
    movements: [],
  });
  let month = start(1, 0);
  for (const [index, event] of events.entries()) {
    if (event.type === 'MonthClosed') {
      closed.push(closedFacts(month, grants, event.data, index));
      month = start(index + 2, event.data.balance);
    } else {
      read(month, grants, event);
    }
  }
  return {
    closed: closed.map((facts) => {
      return { ...facts, ...voidedSince(facts.movements, events.slice(facts.version.to + 1)) };
    }),
    running: runningFacts(month, grants, events, calendar),
  };
}
