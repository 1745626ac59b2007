import { formatMoment } from '#calendar/instant.js';
import { periodOf } from './draft-invoice.js';
import { grantMonths, type GrantMonth, type MonthFacts, type Movement } from './month-facts.js';

/** Charges of an account on one local day. */
export interface DayCharges {
  readonly day: string;
  readonly calls: number;
  readonly credits: number;
}

interface Entry {
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string;
  /** Null where credits were taken from several grants. */
  readonly grant_id: string | null;
  readonly credits: number;
}

/** A customer's month in credits (contract 6). */
export interface Statement {
  readonly type: 'statement';
  readonly account_id: string;
  readonly month: string;
  readonly period: { readonly from: string; readonly to: string };
  /** The zone in which days and the month begin. */
  readonly time_zone: string;
  readonly opening_balance: number;
  readonly grants: readonly (Entry & { readonly kind: GrantMonth['kind'] })[];
  readonly adjustments: readonly (Entry & {
    readonly reason: string;
    readonly call_id: string | null;
  })[];
  readonly charges: readonly DayCharges[];
  readonly expiries: readonly Entry[];
  readonly voids: readonly Entry[];
  /** Debt that was billed at the month's end. */
  readonly billed_credits: number;
  readonly closing_balance: number;
  readonly account_version: { readonly from: number; readonly to: number };
  /** Heads of the account's chain before the first and after the last of these versions, hex. */
  readonly opening_head: string;
  readonly account_head: string;
}

/** Terms of a statement beside the facts of its month. */
export interface StatementTerms {
  readonly accountId: string;
  readonly timeZone: string;
  /** Days with charges, in any order. */
  readonly charges: readonly DayCharges[];
  readonly openingHead: string;
  readonly accountHead: string;
}

type MovementOf<Type extends Movement['type']> = Extract<Movement, { readonly type: Type }>;

function gone(
  movements: readonly Movement[],
  type: 'expired' | 'voided',
  ids: ReadonlyMap<number, string>,
): Entry[] {
  return movements
    .filter((movement): movement is MovementOf<'expired' | 'voided'> => movement.type === type)
    .map(({ at, ordinal, credits }) => {
      return { at: formatMoment(at), grant_id: ids.get(ordinal) ?? null, credits };
    });
}

/** A customer's statement of a closed month. */
export function statementOf(facts: MonthFacts, terms: StatementTerms): Statement {
  const { month, movements, opening, closing, version } = facts;
  const ids = new Map(grantMonths(facts).map(({ ordinal, id }) => [ordinal, id]));
  const granted = movements.filter((movement) => movement.type === 'granted');
  const adjusted = movements.filter((movement) => movement.type === 'adjusted');
  return {
    type: 'statement',
    account_id: terms.accountId,
    month,
    period: periodOf(month),
    time_zone: terms.timeZone,
    opening_balance: opening.balance,
    grants: granted.map(({ at, id, kind, credits }) => {
      return { at: formatMoment(at), grant_id: id, kind, credits };
    }),
    adjustments: adjusted.map(({ at, id, credits, reason, callId }) => {
      return { at: formatMoment(at), grant_id: id, credits, reason, call_id: callId };
    }),
    charges: terms.charges.toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    expiries: gone(movements, 'expired', ids),
    voids: gone(movements, 'voided', ids),
    billed_credits: closing.overage,
    closing_balance: closing.balance + closing.overage,
    account_version: { from: version.from, to: version.to },
    opening_head: terms.openingHead,
    account_head: terms.accountHead,
  };
}
