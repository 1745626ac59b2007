import { creditLiability, refundsOf, type GrantLiability } from './credit-liability.js';
import { sumOf } from './money.js';
import type { GrantMonth } from './month-facts.js';
import { taxOn } from './tax.js';

/** Movements of purchased credits in a month as money, net in minor units. */
export interface ScheduleAmounts {
  /** Deferred at the month's start, and at its end: what the books owe in credits. */
  readonly opening: number;
  readonly sold: number;
  /** Given back with unused credits. */
  readonly refunded: number;
  /** Recognised as credits were used. */
  readonly used: number;
  /** Recognised as credits expired or were forfeited. */
  readonly breakage: number;
  readonly closing: number;
  /** Of what is deferred at the end, the part of closed accounts. */
  readonly closed_accounts: number;
}

/** All purchased credits in one month and one currency. */
export interface ScheduleMonth extends ScheduleAmounts {
  readonly month: string;
  readonly currency: string;
  /** Whether the month has ended. */
  readonly final: boolean;
  /** `used` and `breakage` together. */
  readonly recognised: number;
  /** An estimate of what of `closing` will never be used; it is in no journal. */
  readonly expected_breakage: number;
}

const NAMES = [
  'opening',
  'sold',
  'refunded',
  'used',
  'breakage',
  'closing',
  'closed_accounts',
] as const satisfies readonly (keyof ScheduleAmounts)[];
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as ScheduleAmounts;

/** A grant in a month with its amounts in the schedule. */
export interface ScheduledGrant {
  readonly liability: GrantLiability;
  readonly amounts: ScheduleAmounts;
}

/** The grants of a month. `isClosed`: whether their account was closed by its end. */
export function grantSchedules(
  grants: readonly GrantMonth[],
  isClosed: boolean,
): readonly ScheduledGrant[] {
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  return creditLiability(grants).flatMap((liability) => {
    const grant = byId.get(liability.grant_id);
    return grant === undefined
      ? []
      : [{ liability, amounts: grantSchedule(liability, grant, isClosed) }];
  });
}

/** One grant in a month: opening + sold − refunded − used − breakage = closing. */
export function grantSchedule(
  { opening, sold, used, expired, voided, closing }: GrantLiability,
  grant: GrantMonth,
  isClosed: boolean,
): ScheduleAmounts {
  const refunded = refundsOf(grant);
  return {
    opening: opening.amount,
    sold: sold.amount,
    refunded,
    used: used.amount,
    breakage: sumOf([expired.amount, voided.amount, -refunded], 'The breakage'),
    closing: closing.amount,
    closed_accounts: isClosed ? closing.amount : 0,
  };
}

/** Adds up months and currencies. Throws what is no safe integer. */
export class RevenueSchedule {
  readonly #sums = new Map<string, ScheduleAmounts>();

  add(month: string, currency: string, amounts: ScheduleAmounts): void {
    const key = `${month} ${currency}`;
    const before = this.#sums.get(key) ?? NOTHING;
    const sums = NAMES.map((name) => [name, sumOf([before[name], amounts[name]], name)]);
    this.#sums.set(key, Object.fromEntries(sums) as unknown as ScheduleAmounts);
  }

  /**
   * In the order of months, then of currencies. `breakagePercent`: the share of unused credits that
   * is expected to expire, with up to four decimals; the estimate is rounded half up once for each
   * month and currency.
   */
  months(breakagePercent: number, isFinal: (month: string) => boolean): ScheduleMonth[] {
    return [...this.#sums]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, amounts]) => {
        const [month = '', currency = ''] = key.split(' ');
        const recognised = sumOf([amounts.used, amounts.breakage], 'What is recognised');
        const expected_breakage = taxOn(amounts.closing, breakagePercent);
        return {
          month,
          currency,
          final: isFinal(month),
          ...amounts,
          recognised,
          expected_breakage,
        };
      });
  }
}
