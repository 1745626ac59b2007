import type { Worth } from '#account/rounding.js';
import type { CallKind, GrantKind, Plan, RefundBy } from '#account/terms.js';
import { sumOf } from './money.js';

// What an invoice's lines are made of: one month of one account, in credits. The facts hold no
// money but the plan's and the prices of what was purchased.

/** Thrown for facts that no month of an account can have: what they were read from is wrong. */
export class ContradictingFactsError extends Error {
  override readonly name = 'ContradictingFactsError';
  constructor(month: string, what: string) {
    super(`The facts of ${month} contradict each other: ${what}.`);
  }
}

/** Calls of one rule and kind. The same rule and kind may come several times: they are added up. */
export interface UsageSum {
  readonly rule: string;
  readonly kind: CallKind;
  readonly calls: number;
  readonly credits: number;
}

/** A grant with something left of it as the month began, also one given by an adjustment. */
export interface OpeningGrant {
  /** Names it in the account: 1, 2, 3, … */
  readonly ordinal: number;
  readonly id: string;
  readonly kind: GrantKind | 'adjustment';
  readonly credits: number;
  /** Net, in minor units; null unless it was purchased at a price. */
  readonly price: number | null;
  readonly left: number;
  /** Value of the rest, where a credit note took a part of it before; else the price says. */
  readonly worth?: Worth;
}

/** A movement of credits in the month beside its calls. */
export type Movement =
  | {
      readonly type: 'granted';
      readonly at: number;
      readonly ordinal: number;
      readonly id: string;
      readonly kind: GrantKind;
      /** All of them, also those that repaid a debt at once. */
      readonly credits: number;
      readonly price: number | null;
      /** Whether it has an invoice of its own. */
      readonly isAtOnce?: boolean;
    }
  | {
      readonly type: 'adjusted';
      readonly at: number;
      /** Of the grant that credits given are kept as; null where credits were taken. */
      readonly ordinal: number | null;
      readonly id: string | null;
      readonly credits: number;
      readonly reason: string;
      readonly callId: string | null;
    }
  | {
      readonly type: 'expired';
      readonly at: number;
      readonly ordinal: number;
      readonly credits: number;
    }
  | {
      readonly type: 'voided';
      readonly at: number;
      readonly ordinal: number;
      readonly credits: number;
      /** Credits left of the grant; none unless given. */
      readonly left?: number;
      /** Given back, net in minor units; nothing unless given. */
      readonly refund?: number;
      readonly refundBy?: RefundBy | undefined;
    };

export type GrantMovement = Extract<Movement, { type: 'granted' }>;
export type AdjustmentMovement = Extract<Movement, { type: 'adjusted' }>;
export type VoidMovement = Extract<Movement, { type: 'voided' }>;

export interface MonthFacts {
  /** `2026-10`. */
  readonly month: string;
  /** In force in the month. */
  readonly plan: Plan | null;
  readonly usage: readonly UsageSum[];
  readonly opening: { readonly balance: number; readonly grants: readonly OpeningGrant[] };
  readonly movements: readonly Movement[];
  /** Of purchases of the month, after its close and before it was invoiced; absent: none. */
  readonly voidedSince?: readonly VoidMovement[];
  /** At the close; of a month that still runs, as if it were closed now. */
  readonly closing: {
    /** After the month's expiries, before the overage is billed. */
    readonly balance: number;
    readonly overage: number;
    readonly carried: number;
    /** The rest of each grant; those with nothing left may be absent. */
    readonly grants: readonly (readonly [ordinal: number, left: number])[];
  };
  /** Versions of the month's events. */
  readonly version: { readonly from: number; readonly to: number };
}

/** Movements of one grant in one month, in credits. */
export interface GrantMonth {
  readonly ordinal: number;
  readonly id: string;
  readonly kind: GrantKind | 'adjustment';
  readonly credits: number;
  readonly price: number | null;
  readonly opening: number;
  /** 0, or all its credits where it was given in this month. */
  readonly given: number;
  readonly expired: number;
  readonly voided: number;
  /** How they were voided, in their order. */
  readonly voids: readonly VoidMovement[];
  /** Value of all of it as the month began, or as it was given. */
  readonly worth: Worth;
  readonly closing: number;
  /** Credits it paid for: opening + given − expired − voided − closing. */
  readonly covered: number;
}

type Entry = Omit<GrantMonth, 'expired' | 'voided' | 'voids' | 'closing' | 'covered'>;

function openingEntry({ left, worth, ...grant }: OpeningGrant): Entry {
  return { ...grant, worth: worth ?? wholeWorth(grant), opening: left, given: 0 };
}

/** A grant without a price is worth 0. */
function wholeWorth({ price, credits }: { price: number | null; credits: number }): Worth {
  return { amount: price ?? 0, credits };
}

function givenEntry(movement: Movement): Entry[] {
  if (movement.type === 'granted') {
    const { ordinal, id, kind, credits, price } = movement;
    const worth = wholeWorth(movement);
    return [{ ordinal, id, kind, credits, price, worth, opening: 0, given: credits }];
  }
  if (movement.type !== 'adjusted' || movement.ordinal === null) return [];
  const { ordinal, id, credits } = movement;
  const worth = { amount: 0, credits };
  const grant = { ordinal, id: id ?? '', kind: 'adjustment', credits, price: null } as const;
  return [{ ...grant, worth, opening: 0, given: credits }];
}

function goneBy(facts: MonthFacts, type: 'expired' | 'voided'): Map<number, number> {
  const gone = new Map<number, number>();
  for (const movement of facts.movements) {
    if (movement.type !== type) continue;
    gone.set(movement.ordinal, (gone.get(movement.ordinal) ?? 0) + movement.credits);
  }
  return gone;
}

/**
 * Movements of each grant of the month, by ordinal. Throws ContradictingFactsError for a grant that
 * nobody gave, and for one that paid for less than nothing.
 */
export function grantMonths(facts: MonthFacts): GrantMonth[] {
  const entries = [
    ...facts.opening.grants.map(openingEntry),
    ...facts.movements.flatMap(givenEntry),
  ];
  const expired = goneBy(facts, 'expired');
  const voided = goneBy(facts, 'voided');
  const voids = facts.movements.filter((movement) => movement.type === 'voided');
  const left = new Map(facts.closing.grants);
  const known = new Set(entries.map(({ ordinal }) => ordinal));
  const stranger = [...expired.keys(), ...voided.keys(), ...left.keys()].find((n) => !known.has(n));
  if (stranger !== undefined)
    throw new ContradictingFactsError(facts.month, `nobody gave grant ${stranger}`);
  return entries
    .map((entry) => {
      const [gone, taken] = [expired.get(entry.ordinal) ?? 0, voided.get(entry.ordinal) ?? 0];
      const closing = left.get(entry.ordinal) ?? 0;
      const covered = entry.opening + entry.given - gone - taken - closing;
      if (covered < 0)
        throw new ContradictingFactsError(
          facts.month,
          `grant ${entry.ordinal} paid for ${covered} credits`,
        );
      const own = voids.filter(({ ordinal }) => ordinal === entry.ordinal);
      return { ...entry, expired: gone, voided: taken, voids: own, closing, covered };
    })
    .toSorted((one, other) => one.ordinal - other.ordinal);
}

/** The balance by the month's facts: at its start, with all movements, less its calls. */
export function balanceOf({ opening, movements, usage }: MonthFacts): number {
  const moved = movements.map(({ type, credits }) =>
    type === 'expired' || type === 'voided' ? -credits : credits,
  );
  const charged = usage.map(({ credits }) => -credits);
  return sumOf([opening.balance, ...moved, ...charged], 'The balance');
}
