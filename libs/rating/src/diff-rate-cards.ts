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
    /** Rules of the same name that match something else or cost something else. */
    readonly changed: readonly (Change<PlacedRule> & { readonly name: string })[];
    /** Whether the rules that both cards have stand in another order. */
    readonly reordered: boolean;
  };
}

/** Changes of a card against another one. Rules are identified by their names. */
export function diffRateCards(before: RateCard, after: RateCard): RateCardDiff {
  const [old, fresh] = [placed(before), placed(after)];
  const kept = [...fresh.keys()].filter((name) => old.has(name));
  const added = [...fresh.values()].filter(({ name }) => !old.has(name));
  const removed = [...old.values()].filter(({ name }) => !fresh.has(name));
  const changed = kept.flatMap((name) => {
    const [from, to] = [old.get(name), fresh.get(name)];
    if (from === undefined || to === undefined || isSame(from, to)) return [];
    return [{ name, before: from, after: to }];
  });
  const order = [...old.keys()].filter((name) => fresh.has(name));
  const reordered = order.some((name, index) => name !== kept[index]);
  return {
    call_cost: { before: before.call_cost, after: after.call_cost },
    rules: { added, removed, changed, reordered },
  };
}

function placed({ rules }: RateCard): ReadonlyMap<string, PlacedRule> {
  return new Map(rules.map((rule, position) => [rule.name, { position, ...rule }]));
}

function isSame(one: RateRule, other: RateRule): boolean {
  return (
    canonical(one.match) === canonical(other.match) &&
    canonical(one.data_cost) === canonical(other.data_cost)
  );
}

/** Members in the order of their names: they mean the same in any order. */
function canonical(value: RateMatch | DataCost): string {
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
