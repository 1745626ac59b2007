import { shareOf } from './money.js';
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

/**
 * The liability of a grant in a month: opening + sold − used − expired − voided = closing, in
 * credits and in money. Credits are worth their share of the price, in the order in which they
 * went, so that the parts of a grant add up to its price over all its months. One without a price
 * is worth 0.
 */
export function grantLiability(grant: GrantMonth): GrantLiability {
  const { id, credits, opening, given, covered, expired, voided, closing } = grant;
  let gone = credits - opening - given;
  const worthOf = (goneCredits: number) => shareOf(grant.price ?? 0, goneCredits, credits);
  const next = (part: number): Value => {
    const before = worthOf(gone);
    gone += part;
    return { credits: part, amount: worthOf(gone) - before };
  };
  const rest = (part: number): Value => {
    return { credits: part, amount: part === 0 ? 0 : worthOf(credits) - worthOf(gone) };
  };
  return {
    grant_id: id,
    opening: rest(opening),
    sold: rest(given),
    used: next(covered),
    expired: next(expired),
    voided: next(voided),
    closing: rest(closing),
  };
}

/**
 * Credits owed to an account for purchased grants in a month, by grant in the order of purchase.
 */
export function creditLiability(grants: readonly GrantMonth[]): GrantLiability[] {
  return grants.filter(({ kind }) => kind === 'purchased').map(grantLiability);
}
