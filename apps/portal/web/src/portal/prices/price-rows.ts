import { pairRules, successorOf, type RulePair } from '#rating/diff-rate-cards.js';
import type { RateRule } from '#rating/rate-card.js';
import { formatNumber } from '../../format/credits.js';
import { dataCostText } from '../../format/data-cost.js';
import type { Prices } from '../../rest/answers.js';

/** A price of a card, and what it becomes by the next one. */
export interface PriceRow {
  readonly name: string;
  /** The resources that it counts for, in words. */
  readonly match: string;
  /** Where the card has no such rule, the price of what it matches and the rule that gives it. */
  readonly now: string;
  readonly next: string;
  readonly isChanged: boolean;
}

/** `trends, limit all, category beauty`; a rule that matches everything: `all else`. */
export function matchWords(match: RateRule['match']): string {
  const words = Object.entries(match).map(([name, value]) =>
    name === 'resource' ? value : `${name} ${value}`,
  );
  return words.length === 0 ? 'all else' : words.join(', ');
}

function costWords({ data_cost: cost }: RateRule): string {
  return dataCostText(cost);
}

/** The credits of a price in words: `10,000` → 10000, `5 a row` → 5; null: there is none. */
export function creditsIn(words: string): number | null {
  return words === '' ? null : Number.parseInt(words.replaceAll(',', ''), 10);
}

/** The price of what a rule of the other card matches, by the rule that takes it here. */
function elsewhere(rule: RateRule | undefined, rules: readonly RateRule[]): string {
  const taking = rule && successorOf(rule, rules);
  return taking === undefined ? '' : `${costWords(taking)}, by “${taking.name}”`;
}

function pairRow(
  { before, after }: RulePair<RateRule>,
  now: readonly RateRule[],
  coming: readonly RateRule[],
): PriceRow {
  const match = matchWords((after ?? before)?.match ?? {});
  const names = new Set([before, after].flatMap((rule) => (rule ? [rule.name] : [])));
  const words = {
    now: before ? costWords(before) : elsewhere(after, now),
    next: after ? costWords(after) : elsewhere(before, coming),
  };
  const isOther = before && after && matchWords(before.match) !== match;
  const isChanged = words.now !== words.next || isOther === true;
  return { name: [...names].join(' → '), match, ...words, isChanged };
}

/** The rules of the card in force, in their order, beside those of the next one. */
export function priceRows({ in_force: now, next }: Prices): PriceRow[] {
  const coming = next === null ? now.rules : next.rules;
  const rows = pairRules<RateRule>(now.rules, coming).map((pair) =>
    pairRow(pair, now.rules, coming),
  );
  const [call, callNext] = [now.call_cost, next?.call_cost ?? now.call_cost].map(formatNumber);
  const every = { name: 'every call', match: 'first or repeated', now: call ?? '' };
  return [{ ...every, next: callNext ?? '', isChanged: call !== callNext }, ...rows];
}
