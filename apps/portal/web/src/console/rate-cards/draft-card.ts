import { REGIONS } from '#popularity/regions.js';
import { MATCH_FORMS, type MatchMember } from '#rating/match-members.js';
import { pairRules, successorOf } from '#rating/diff-rate-cards.js';
import type { DataCost, RateRule, RateMatch } from '#rating/rate-card.js';
import { dataCostText } from '../../format/data-cost.js';
import type { RateCard } from '../../rest/answers.js';

/** Values of a member that are known beforehand; undefined: they are typed. */
export function choicesOf(member: MatchMember): readonly string[] | undefined {
  if (member === 'region') return REGIONS;
  const form = MATCH_FORMS[member];
  return form === 'uuid' || 'slugMax' in form ? undefined : form;
}

/** A rule as it is typed: `credits` is a number once it reads as one. */
export interface DraftRule {
  /** Identifies a row while it is moved. */
  readonly id: number;
  readonly name: string;
  readonly match: RateMatch;
  readonly per: 'flat' | 'per_row';
  readonly credits: number | string;
  /** A price of units, which is kept as it is; absent: the credits are the price. */
  readonly units?: DataCost;
}

export interface DraftCard {
  /** Of the card that it was begun from. */
  readonly product: string;
  readonly repeat: RateCard['repeat'];
  readonly call_cost: number | string;
  readonly rules: readonly DraftRule[];
}

/** The part of a card that a new one takes over. */
export type CardTerms = Pick<RateCard, 'product' | 'repeat' | 'call_cost' | 'rules'>;

/** A card to begin a new one with. */
export function draftOf({ product, repeat, call_cost: cost, rules }: CardTerms): DraftCard {
  return {
    product,
    repeat,
    call_cost: cost,
    rules: rules.map(({ name, match, data_cost: data }, id) => ({
      id,
      name,
      match,
      ...('flat' in data
        ? ({ per: 'flat', credits: data.flat } as const)
        : 'per_row' in data
          ? ({ per: 'per_row', credits: data.per_row } as const)
          : ({ per: 'flat', credits: '', units: data } as const)),
    })),
  };
}

/** As the service takes it: what is wrong with it is said there. */
export function cardBody(draft: DraftCard) {
  return {
    product: draft.product,
    call_cost: draft.call_cost === '' ? null : draft.call_cost,
    rules: draft.rules.map(({ name, match, per, credits, units }) => ({
      name,
      match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== '')),
      data_cost: units ?? { [per]: credits === '' ? null : credits },
    })),
  };
}

/** Moves a rule up or down: the first that matches decides. */
export function moved(rules: readonly DraftRule[], index: number, by: -1 | 1) {
  const rule = rules[index];
  const other = rules[index + by];
  if (rule === undefined || other === undefined) return rules;
  return rules.with(index, other).with(index + by, rule);
}

/** A rule in front of the last one, which matches everything. */
export function withNewRule({ rules, ...card }: DraftCard): DraftCard {
  const id = Math.max(-1, ...rules.map((rule) => rule.id)) + 1;
  const rule: DraftRule = { id, name: '', match: {}, per: 'flat', credits: '' };
  return { ...card, rules: rules.toSpliced(Math.max(0, rules.length - 1), 0, rule) };
}

/** One difference, in words. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** `trends, all, beauty: 49,990`; a price that is not typed yet is a question mark. */
export function ruleText({ match, data_cost: data }: RateRule): string {
  const matched = Object.values(match).join(', ') || 'everything';
  const isTyped = Object.values(data).every((part) => typeof part !== 'string' && part !== null);
  const price = isTyped ? dataCostText(data) : `?${'per_row' in data ? ' a row' : ''}`;
  return `${matched}: ${price}`;
}

/** Differences of a draft from a card, rule by rule as the service pairs them. */
export function differences(card: RateCard, draft: DraftCard): readonly Difference[] {
  const { call_cost: cost, rules } = cardBody(draft);
  const after = rules as unknown as readonly RateRule[];
  const found: Difference[] = [];
  if (cost !== card.call_cost) {
    found.push({ name: 'every call', before: String(card.call_cost), after: String(cost ?? '') });
  }
  const pairs = pairRules<RateRule>(card.rules, after);
  for (const { before: was, after: is } of pairs) {
    const names = [...new Set([was, is].flatMap((rule) => (rule ? [rule.name] : [])))];
    const words = {
      before: was ? ruleText(was) : elsewhere(is, card.rules),
      after: is ? ruleText(is) : elsewhere(was, after),
    };
    if (words.before !== words.after || names.length > 1) {
      found.push({ name: names.join(' → '), ...words });
    }
  }
  const kept = pairs.flatMap(({ before: was, after: is }) => (was && is ? [is] : []));
  const order = after.filter((rule) => kept.includes(rule));
  if (order.some((rule, index) => rule !== kept[index])) {
    const [before, then] = [kept, order].map((some) => some.map(({ name }) => name).join(' → '));
    found.push({ name: 'order of the rules', before: before ?? '', after: then ?? '' });
  }
  return found;
}

/** The rule of the other card that takes what a rule matches. */
function elsewhere(rule: RateRule | undefined, rules: readonly RateRule[]): string {
  const taking = rule && successorOf(rule, rules);
  return taking === undefined ? '' : `by “${taking.name}”, ${ruleText(taking)}`;
}
