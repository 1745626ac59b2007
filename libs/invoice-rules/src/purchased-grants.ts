import type { CreditsGranted, GrantVoided } from '#account/credits.js';
import type { AccountEvent } from '#account/events.js';
import { openMonth } from '#account/months.js';
import type { MonthClosed } from '#account/periods.js';
import { type Worth, worthAfter, worthOf } from '#account/rounding.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { grantMonths, type GrantMonth, type MonthFacts } from './month-facts.js';
import type { Movement, OpeningGrant } from './month-facts.js';
import { movementsOf, voidedSince } from './movements.js';

/** The rest of grants, by their ordinals. */
export type GrantRests = readonly (readonly [grant: number, left: number])[];

/** A change of an account's credits or the close of a month; `left` stands beside old closes. */
export interface Change {
  readonly event: AccountEvent;
  readonly left?: GrantRests;
}

type MonthClosedChange = Change & { readonly event: AccountEvent & { readonly data: MonthClosed } };

function isClose(change: Change): change is MonthClosedChange {
  return change.event.type === 'MonthClosed';
}

function leftAt({ event: { data }, left }: MonthClosedChange): GrantRests {
  const found = data.grants ?? left;
  if (found === undefined)
    throw new Error(`The close of ${data.month} does not say what was left.`);
  return found;
}

function purchasesIn(changes: readonly Change[]): Map<number, CreditsGranted> {
  const purchases = new Map<number, CreditsGranted>();
  for (const { event } of changes) {
    if (event.type === 'CreditsGranted' && event.data.kind === 'purchased')
      purchases.set(event.data.grant, event.data);
  }
  return purchases;
}

/** A grant as a month begins; credit notes before it may have taken a part. */
function openingGrant(
  purchase: CreditsGranted,
  left: number,
  before: readonly Change[],
): OpeningGrant {
  const { grant, grant_id, kind, credits, price } = purchase;
  const worth = worthBehind(purchase, before);
  return { ordinal: grant, id: grant_id, kind, credits, price, left, worth };
}

/** The worth of a grant once these changes of its account have happened. */
function worthBehind(
  { grant, credits, price }: CreditsGranted,
  before: readonly Pick<Change, 'event'>[],
): Worth {
  let worth = { amount: price ?? 0, credits };
  for (const { event } of before) {
    if (event.type !== 'GrantVoided' || event.data.grant !== grant || !event.data.left) continue;
    const { credits: gone, left: rest, refund = 0 } = event.data;
    worth = worthAfter(worth, rest + gone, rest, refund);
  }
  return worth;
}

/**
 * The part of the price of voided credits that is not given back: breakage, net in minor units.
 * `changes`: grants and voids of the account, the void among them.
 */
export function forfeitedBy(
  { grant, credits, refund = 0 }: GrantVoided,
  changes: readonly Pick<Change, 'event'>[],
): number {
  const purchase = changes.find(
    ({ event }) => event.type === 'CreditsGranted' && event.data.grant === grant,
  )?.event;
  if (purchase?.type !== 'CreditsGranted') return 0;
  const worth = worthBehind(purchase.data, changes);
  return worthOf(worth, credits) - refund;
}

/** Purchased grants in a month, and how their credits moved beside calls. */
export interface PurchasesOfMonth {
  readonly grants: readonly GrantMonth[];
  readonly movements: readonly Movement[];
  /** As in `MonthFacts`. */
  readonly voidedSince?: MonthFacts['voidedSince'];
  /** Whether the month was closed. */
  readonly isClosed: boolean;
}

/**
 * Movements of an account's purchased grants in a month: from all changes of its credits but calls,
 * those that have fallen due by now included, and its state after them. A month without a close is
 * the one that runs, or nothing happened in it.
 */
export function purchasedGrants(
  month: string,
  changes: readonly Change[],
  state: AccountState,
  calendar: Calendar,
): PurchasesOfMonth {
  const purchases = purchasesIn(changes);
  const own = ([ordinal]: readonly [number, number]) => purchases.has(ordinal);
  const closes = changes.filter(isClose);
  const before = closes.findLast(({ event }) => event.data.month < month);
  const close = closes.find(({ event }) => event.data.month === month);
  const isRunning = close === undefined && openMonth(state, calendar)?.label === month;
  const opening = before === undefined ? [] : leftAt(before).filter(own);
  const running: GrantRests = state.grants.map(({ ordinal, left }) => [ordinal, left]);
  const closing = close === undefined ? (isRunning ? running : opening) : leftAt(close);
  const from = before === undefined ? 0 : changes.indexOf(before) + 1;
  const to = close === undefined ? changes.length : changes.indexOf(close);
  const moved = close !== undefined || isRunning ? changes.slice(from, to) : [];
  const movements = moved
    .flatMap(({ event }) => movementsOf(event))
    .filter((movement) => movement.type !== 'adjusted' && purchases.has(movement.ordinal));
  const grants = grantMonths({
    month,
    plan: null,
    usage: [],
    opening: {
      balance: 0,
      grants: opening.flatMap(([ordinal, left]) => {
        const purchase = purchases.get(ordinal);
        return purchase === undefined ? [] : [openingGrant(purchase, left, changes.slice(0, from))];
      }),
    },
    movements,
    closing: { balance: 0, overage: 0, carried: 0, grants: closing.filter(own) },
    version: { from: 1, to: 1 },
  });
  const later = changes.slice(to).map(({ event }) => event);
  return { grants, movements, ...voidedSince(movements, later), isClosed: close !== undefined };
}
