import { INDEX } from './index-keys.js';
import { productOf, type NamedResource } from './named-resource.js';
import { FIRST_VERSION } from './rate-card.js';
import { ROWS } from './named-resource.js';
import type { DataCost, RateCard, RateMatch, RateRule } from './rate-card.js';

export interface Price {
  /** Credits of a first call: call cost, data cost. A repeated call costs the call cost alone. */
  readonly cost: readonly [call: number, data: number];
  /** Name of the rule that gave the data cost. */
  readonly rule: string;
}

/** Counts by which a call is priced, by their names. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Price of a first call by a card (specification 8.1). `rows` is the number of rows or points of
 * the answer. Throws RangeError where rows or the sum of both costs are not safe integers of at
 * least 0, and Error where no rule matches, which no validated card allows.
 */
export function priceOf(card: RateCard, resource: NamedResource, rows: number): Price {
  checkCount('rows', rows);
  const rule = ruleFor(card, resource);
  const data = dataCredits(rule.data_cost, rows);
  checkCount('the price in credits', card.call_cost + data);
  return { cost: [card.call_cost, data], rule: rule.name };
}

/**
 * The same of units, whole numbers of at least 0, or why they have no price: a unit is never free
 * because nobody priced its name, and a price is an exact number.
 */
export function priceOfUnits(
  card: RateCard,
  resource: NamedResource,
  units: Counts,
): Price | { readonly unpriced: string } {
  const rule = ruleFor(card, resource);
  for (const name of Object.keys(units)) {
    checkCount(name, units[name] ?? 0);
    if (!card.rules.some(({ data_cost: cost }) => isPriced(cost, name))) {
      return { unpriced: `No rule of rate card ${card.version} prices the unit "${name}".` };
    }
    if ('flat' in rule.data_cost || isPriced(rule.data_cost, name)) continue;
    const place = `Rule "${rule.name}" of rate card ${card.version}`;
    return { unpriced: `${place} does not price the unit "${name}".` };
  }
  const data = dataCredits(rule.data_cost, countOf(units, ROWS), units);
  if (Number.isSafeInteger(card.call_cost + data)) {
    return { cost: [card.call_cost, data], rule: rule.name };
  }
  return { unpriced: 'The units cost more than 2^53 - 1 credits.' };
}

/** Whether a price counts units of this name. */
function isPriced(cost: DataCost, name: string): boolean {
  if ('flat' in cost) return false;
  return 'per_row' in cost ? name === ROWS : Object.hasOwn(cost.per, name);
}

/** The first rule that matches. Throws Error where none does, which no validated card allows. */
export function ruleFor(card: RateCard, resource: NamedResource): RateRule {
  const rule = card.rules.find(({ match }) => matches(match, resource));
  if (rule === undefined)
    throw new Error(`Rate card ${card.version} has no rule for the resource.`);
  return rule;
}

/**
 * The card that prices the calls of the index in a window, as `findInForce` has it. Throws Error if
 * there is none, which cannot be while the first card is among them.
 */
export function cardInForce(cards: readonly RateCard[], windowLabel: string): RateCard {
  const card = findInForce(cards, windowLabel, INDEX);
  if (card === undefined) throw new Error(`No rate card is in force in ${windowLabel}.`);
  return card;
}

/**
 * The card that prices the calls of a product in a window: of those that have begun by then the one
 * that began last, and of several for one window the newest version. A card for named accounts
 * alone is never it. Undefined if there is none.
 */
export function findInForce(
  cards: readonly RateCard[],
  windowLabel: string,
  product: string,
): RateCard | undefined {
  let inForce: RateCard | undefined;
  for (const card of cards) {
    if (productOf(card) !== product) continue;
    const hasBegun = !isForNamedAccounts(card) && beginning(card) <= windowLabel;
    if (hasBegun && (inForce === undefined || replaces(card, inForce))) inForce = card;
  }
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
function matches(match: RateMatch, resource: NamedResource): boolean {
  for (const name in match) if (match[name] !== resource[name]) return false;
  return true;
}

/**
 * Credits for the data of an answer, not checked: beyond 2^53 - 1 it is no safe integer. Units and
 * their prices are multiplied and added exactly, and the sum is rounded up once.
 */
export function dataCredits(cost: DataCost, rows: number, units: Counts = NO_UNITS): number {
  if ('flat' in cost) return cost.flat;
  if ('per_row' in cost) return cost.per_row * rows;
  let sum = 0;
  for (const name of Object.keys(cost.per)) {
    sum += (cost.per[name] ?? 0) * (name === ROWS ? rows : countOf(units, name));
  }
  // An exact sum beyond 2^53 - 1 is at least 2^53 when it is rounded, and no safe integer.
  if (!Number.isSafeInteger(sum)) return Infinity;
  const rest = sum % cost.of;
  return (sum - rest) / cost.of + (rest > 0 ? 1 : 0);
}

const NO_UNITS: Counts = {};

function countOf(units: Counts, name: string): number {
  return Object.hasOwn(units, name) ? (units[name] ?? 0) : 0;
}

function checkCount(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${what} must be a whole number from 0 to 2^53 - 1, not ${count}.`);
  }
}
