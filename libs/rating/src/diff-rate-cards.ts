import type { DataCost, RateCard, RateMatch, RateRule } from './rate-card.js';

/** A rule and its place in its card, from 0: the order decides which of two rules matches first. */
export interface PlacedRule extends RateRule {
  readonly position: number;
}

/** One value before and after. */
export interface Change<Value> {
  readonly before: Value;
  readonly after: Value;
}

export interface RateCardDiff {
  readonly call_cost: Change<number>;
  readonly rules: {
    readonly added: readonly PlacedRule[];
    readonly removed: readonly PlacedRule[];
    /** Rules of both that have another name, match something else or cost something else. */
    readonly changed: readonly (Change<PlacedRule> & { readonly name: string })[];
    /** Whether the rules that both cards have stand in another order. */
    readonly reordered: boolean;
  };
}

/** A rule before and after; undefined where a card has none for the other's. */
export interface RulePair<Rule> {
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
}

type MatchedRule = Pick<RateRule, 'name' | 'match'>;

/**
 * The rules of a card in their order, each with the one of the other card that matches the same,
 * else with the one that has its name; then the other card's rest. A name says nothing of a price:
 * a rule may be renamed, or its name be given to another one.
 */
export function pairRules<Rule extends MatchedRule>(
  before: readonly Rule[],
  after: readonly Rule[],
): readonly RulePair<Rule>[] {
  const partners = new Map<Rule, Rule>();
  for (const isPartner of [matchesSame, isNamesake]) {
    const taken = new Set(partners.values());
    for (const rule of before) {
      if (partners.has(rule)) continue;
      const partner = after.find((other) => !taken.has(other) && isPartner(rule, other));
      if (partner === undefined) continue;
      taken.add(partner);
      partners.set(rule, partner);
    }
  }
  const taken = new Set(partners.values());
  const pairs = before.map((rule) => ({ before: rule, after: partners.get(rule) }));
  const added = after.filter((rule) => !taken.has(rule));
  return [...pairs, ...added.map((rule) => ({ before: undefined, after: rule }))];
}

/** The first of these rules that takes all that a rule of another card matches. */
export function successorOf<Rule extends MatchedRule>(
  { match }: MatchedRule,
  rules: readonly Rule[],
): Rule | undefined {
  const members: Readonly<Record<string, unknown>> = match;
  return rules.find((rule) =>
    Object.entries(rule.match).every(([name, value]) => members[name] === value),
  );
}

/** Changes of a card against another one, rule by rule as `pairRules` pairs them. */
export function diffRateCards(before: RateCard, after: RateCard): RateCardDiff {
  const added: PlacedRule[] = [];
  const removed: PlacedRule[] = [];
  const changed: RateCardDiff['rules']['changed'][number][] = [];
  const order: number[] = [];
  for (const pair of pairRules(placed(before), placed(after))) {
    if (pair.before === undefined) added.push(pair.after as PlacedRule);
    else if (pair.after === undefined) removed.push(pair.before);
    else {
      order.push(pair.after.position);
      const { before: from, after: to } = pair;
      if (!isSame(from, to)) changed.push({ name: to.name, before: from, after: to });
    }
  }
  const reordered = order.some((position, index) => position < (order[index - 1] ?? 0));
  return {
    call_cost: { before: before.call_cost, after: after.call_cost },
    rules: { added, removed, changed, reordered },
  };
}

function placed({ rules }: RateCard): readonly PlacedRule[] {
  return rules.map((rule, position) => ({ position, ...rule }));
}

function isNamesake(one: MatchedRule, other: MatchedRule): boolean {
  return one.name === other.name;
}

function matchesSame(one: MatchedRule, other: MatchedRule): boolean {
  return canonical(one.match) === canonical(other.match);
}

function isSame(one: RateRule, other: RateRule): boolean {
  return (
    isNamesake(one, other) &&
    matchesSame(one, other) &&
    canonical(one.data_cost) === canonical(other.data_cost)
  );
}

/** Members in the order of their names: they mean the same in any order. */
function canonical(value: RateMatch | DataCost): string {
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
