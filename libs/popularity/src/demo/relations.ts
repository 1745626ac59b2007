import { Random } from './random.js';
import { ancestorAt, type DemoCategory } from './tree.js';

/** How many of each group a category is related to, at least and at most. */
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  ingredients: [4, 11],
  concerns: [3, 7],
  'skin-types': [2, 5],
  formats: [2, 6],
};

const LEAF = 5;
/** The cat2 whose ingredients, concerns and so on serve those that have none of their own. */
const FALLBACK = 'skincare';

export interface DemoRelation {
  readonly category: DemoCategory;
  readonly group: string;
  readonly related: DemoCategory;
}

/** Relates every cat5 to some items of each group, those of its own cat2 where it has any. */
export function demoRelations(tree: readonly DemoCategory[]): DemoRelation[] {
  const leaves = tree.filter(({ level }) => level === LEAF);
  return leaves.flatMap((category) => {
    const random = new Random(`relations of ${category.slug}`);
    return Object.entries(COUNTS)
      .filter(([group]) => group !== category.group)
      .flatMap(([group, [min, max]]) => {
        const others = poolOf(leaves, category, group);
        return random
          .pick(others, random.between(min, max))
          .map((related) => ({ category, group, related }));
      });
  });
}

function poolOf(
  leaves: readonly DemoCategory[],
  category: DemoCategory,
  group: string,
): DemoCategory[] {
  const inGroup = leaves.filter((leaf) => leaf.group === group);
  const family = ancestorAt(category, 2);
  const own = inGroup.filter((leaf) => ancestorAt(leaf, 2) === family);
  return own.length > 0 ? own : inGroup.filter((leaf) => ancestorAt(leaf, 2).slug === FALLBACK);
}
