import type { Category } from './categories-table.js';

/** Where a category stands in a walk through the tree: what is below it lies between. */
export interface Place {
  readonly first: number;
  /** Number of the last category below it, its own where it has none. */
  readonly last: number;
}

/**
 * Numbers the categories in the order of a walk that visits each before those below it, siblings
 * in the order given, so that "below" becomes a range of numbers.
 */
export function placesInTree(categories: Iterable<Category>): ReadonlyMap<string, Place> {
  const children = new Map<string | null, Category[]>();
  for (const category of categories) {
    const siblings = children.get(category.parentId);
    if (siblings === undefined) children.set(category.parentId, [category]);
    else siblings.push(category);
  }
  const places = new Map<string, Place>();
  let number = 0;
  // The tree has five levels, so that this is no deeper than that.
  const walk = (category: Category): void => {
    number += 1;
    const first = number;
    for (const child of children.get(category.id) ?? []) walk(child);
    places.set(category.id, { first, last: number });
  };
  for (const root of children.get(null) ?? []) walk(root);
  return places;
}
