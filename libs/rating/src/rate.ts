import type { DataCost, RateCard, RateMatch } from './rate-card.js';
import type { Resource } from './resource.js';

export interface Price {
  /** Credits of a first call: call cost, data cost. A repeated call costs the call cost alone. */
  readonly cost: readonly [call: number, data: number];
  /** Name of the rule that gave the data cost. */
  readonly rule: string;
}

/**
 * What a first call costs by a card (specification 8.1). `rows` is the number of rows or points of
 * the answer. Throws RangeError where rows or the sum of both costs are not safe integers of at
 * least 0, and Error where no rule matches, which no validated card allows.
 */
export function priceOf(card: RateCard, resource: Resource, rows: number): Price {
  checkCount('rows', rows);
  const members = { ...resource };
  const rule = card.rules.find(({ match }) => matches(match, members));
  if (rule === undefined)
    throw new Error(`Rate card ${card.version} has no rule for the resource.`);
  const data = dataCredits(rule.data_cost, rows);
  checkCount('the price in credits', card.call_cost + data);
  return { cost: [card.call_cost, data], rule: rule.name };
}

/**
 * The card that prices calls in a window: the highest version that is in effect by then, so that a
 * later card replaces an earlier one for the same or an earlier window. Throws Error if there is
 * none, which cannot be once the first card is published.
 */
export function cardInForce(cards: readonly RateCard[], windowLabel: string): RateCard {
  let inForce: RateCard | undefined;
  for (const card of cards) {
    const started = card.effective_window === null || card.effective_window <= windowLabel;
    if (started && (inForce === undefined || card.version > inForce.version)) inForce = card;
  }
  if (inForce === undefined) throw new Error(`No rate card is in force in ${windowLabel}.`);
  return inForce;
}

function matches(match: RateMatch, members: Readonly<Record<string, string>>): boolean {
  return Object.entries(match).every(([name, value]) => members[name] === value);
}

function dataCredits(cost: DataCost, rows: number): number {
  return 'flat' in cost ? cost.flat : cost.per_row * rows;
}

function checkCount(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${what} must be a whole number from 0 to 2^53 - 1, not ${count}.`);
  }
}
