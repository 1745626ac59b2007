import { worthAfter, worthOf } from '#account/rounding.js';
import { sumOf } from './money.js';
import type { GrantMonth } from './month-facts.js';

/** Credits and what was paid for them, net in minor units. */
export interface Value {
  readonly credits: number;
  readonly amount: number;
}

/** Credits owed for one purchased grant, from one month's start to its end. */
export interface GrantLiability {
  readonly grant_id: string;
  readonly opening: Value;
  readonly sold: Value;
  readonly used: Value;
  readonly expired: Value;
  readonly voided: Value;
  readonly closing: Value;
}

const NOTHING: Value = { credits: 0, amount: 0 };

/**
 * The liability of a grant in a month: opening + sold − used − expired − voided = closing, in
 * credits and in money. Credits are worth their share of the price, in the order in which they
 * went, so that the parts of a grant add up to its price over all its months. One without a price
 * is worth 0. Where a credit note took credits, the rest is worth what it left of their value.
 */
export function grantLiability(grant: GrantMonth): GrantLiability {
  const { id, opening, given, expired, voids, closing } = grant;
  let { worth } = grant;
  let left = opening + given;
  const worthNow = worthOf(worth, left);
  const used = { credits: 0, amount: 0 };
  const voided = { credits: 0, amount: 0 };
  /** Adds to a part what goes until so many are left. */
  const go = (part: { credits: number; amount: number }, until: number): void => {
    part.credits += left - until;
    part.amount += worthOf(worth, left) - worthOf(worth, until);
    left = until;
  };
  for (const { credits, left: rest = 0, refund = 0 } of voids) {
    go(used, rest + credits);
    if (rest === 0) {
      go(voided, 0);
      continue;
    }
    voided.credits += credits;
    voided.amount += refund;
    worth = worthAfter(worth, left, rest, refund);
    left = rest;
  }
  const gone = { credits: 0, amount: 0 };
  go(used, closing + expired);
  go(gone, closing);
  const whole = { credits: opening + given, amount: worthNow };
  return {
    grant_id: id,
    opening: given === 0 ? whole : NOTHING,
    sold: given === 0 ? NOTHING : whole,
    used,
    expired: gone,
    voided,
    closing: { credits: closing, amount: worthOf(worth, closing) },
  };
}

/** Given back of a grant in a month, net in minor units: a part of what was voided. */
export function refundsOf({ voids }: Pick<GrantMonth, 'voids'>): number {
  return sumOf(
    voids.map(({ refund = 0 }) => refund),
    'What is given back',
  );
}

/**
 * Credits owed to an account for purchased grants in a month, by grant in the order of purchase.
 */
export function creditLiability(grants: readonly GrantMonth[]): GrantLiability[] {
  return grants.filter(({ kind }) => kind === 'purchased').map(grantLiability);
}
