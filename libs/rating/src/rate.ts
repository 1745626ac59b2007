import { FIRST_VERSION } from './rate-card.js';
import type { DataCost, RateCard, RateMatch, RateRule } from './rate-card.js';
import type { Resource } from './resource.js';

export interface Price {
  /** Credits of a first call: call cost, data cost. A repeated call costs the call cost alone. */
  readonly cost: readonly [call: number, data: number];
  /** Name of the rule that gave the data cost. */
  readonly rule: string;
}

/**
 * Price of a first call by a card (specification 8.1). `rows` is the number of rows or points of
 * the answer. Throws RangeError where rows or the sum of both costs are not safe integers of at
 * least 0, and Error where no rule matches, which no validated card allows.
 */
export function priceOf(card: RateCard, resource: Resource, rows: number): Price {
  checkCount('rows', rows);
  const rule = ruleFor(card, resource);
  const data = dataCredits(rule.data_cost, rows);
  checkCount('the price in credits', card.call_cost + data);
  return { cost: [card.call_cost, data], rule: rule.name };
}

/** The first rule that matches. Throws Error where none does, which no validated card allows. */
export function ruleFor(card: RateCard, resource: Resource): RateRule {
  const rule = card.rules.find(({ match }) => matches(match, resource));
  if (rule === undefined)
    throw new Error(`Rate card ${card.version} has no rule for the resource.`);
  return rule;
}

/**
 * The card that prices the calls of a window: of those that have begun by then the one that began
 * last, and of several for one window the newest version. A card for named accounts alone is never
 * it. Throws Error if there is none, which cannot be while the first card is among them.
 */
export function cardInForce(cards: readonly RateCard[], windowLabel: string): RateCard {
  let inForce: RateCard | undefined;
  for (const card of cards) {
    const hasBegun = !isForNamedAccounts(card) && beginning(card) <= windowLabel;
    if (hasBegun && (inForce === undefined || replaces(card, inForce))) inForce = card;
  }
  if (inForce === undefined) throw new Error(`No rate card is in force in ${windowLabel}.`);
  return inForce;
}

/** Whether a card prices only the accounts that name it: it has no window, and is not the first. */
function isForNamedAccounts({ effective_window: window, version }: RateCard): boolean {
  return window === null && version !== FIRST_VERSION;
}

/** Labels sort as text in the order of time, and the empty text before all of them. */
function beginning({ effective_window: window }: RateCard): string {
  return window ?? '';
}

function replaces(card: RateCard, other: RateCard): boolean {
  const [begins, otherBegins] = [beginning(card), beginning(other)];
  return begins > otherBegins || (begins === otherBegins && card.version > other.version);
}

/** Without a list of the members: this is done for each rule of each call. */
function matches(match: RateMatch, resource: Resource): boolean {
  const wanted = match as Readonly<Record<string, string>>;
  const members = resource as unknown as Readonly<Record<string, string>>;
  for (const name in wanted) if (wanted[name] !== members[name]) return false;
  return true;
}

/** Credits for the data of an answer with so many rows, not checked. */
export function dataCredits(cost: DataCost, rows: number): number {
  return 'flat' in cost ? cost.flat : cost.per_row * rows;
}

function checkCount(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${what} must be a whole number from 0 to 2^53 - 1, not ${count}.`);
  }
}
