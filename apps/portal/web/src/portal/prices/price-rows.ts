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

type Card = Pick<Prices['in_force'], 'rules' | 'call_cost'>;

/** A first call with its data: `50,000`; where the data is paid by rows `10 + 5 a row`. */
function costWords({ data_cost: cost }: RateRule, { call_cost: call }: Card): string {
  if ('flat' in cost) return formatNumber(call + cost.flat);
  return `${formatNumber(call)} + ${dataCostText(cost)}`;
}

/** The credits of a price in words: `10,000` → 10000; of one by rows its beginning; null: none. */
export function creditsIn(words: string): number | null {
  return words === '' ? null : Number.parseInt(words.replaceAll(',', ''), 10);
}

/** The price of what a rule of the other card matches, by the rule that takes it here. */
function elsewhere(rule: RateRule | undefined, card: Card): string {
  const taking = rule && successorOf(rule, card.rules);
  return taking === undefined ? '' : `${costWords(taking, card)}, by “${taking.name}”`;
}

function pairRow({ before, after }: RulePair<RateRule>, now: Card, coming: Card): PriceRow {
  const match = matchWords((after ?? before)?.match ?? {});
  const names = new Set([before, after].flatMap((rule) => (rule ? [rule.name] : [])));
  const words = {
    now: before ? costWords(before, now) : elsewhere(after, now),
    next: after ? costWords(after, coming) : elsewhere(before, coming),
  };
  const isOther = before && after && matchWords(before.match) !== match;
  const isChanged = words.now !== words.next || isOther === true;
  return { name: [...names].join(' → '), match, ...words, isChanged };
}

/** First calls by the card in force, in the order of its rules, beside the next; then repeats. */
export function priceRows({ in_force: now, next }: Prices): PriceRow[] {
  const coming = next ?? now;
  const rows = pairRules<RateRule>(now.rules, coming.rules).map((pair) =>
    pairRow(pair, now, coming),
  );
  const [again, againNext] = [now.call_cost, coming.call_cost].map(formatNumber);
  const repeat = { name: 'each repeat', match: 'the same URL again in its week', now: again ?? '' };
  return [...rows, { ...repeat, next: againNext ?? '', isChanged: again !== againNext }];
}
