import { useQuery } from '@tanstack/react-query';
import { ResourceWords } from '../account/resource-words.js';
import type { Category } from '../rest/answers.js';
import { categoriesQuery } from '../rest/queries.js';

type Categories = readonly Category[];

const namesOf = new WeakMap<Categories, ReadonlyMap<string, string>>();

function names(categories: Categories): ReadonlyMap<string, string> {
  const known = namesOf.get(categories);
  if (known !== undefined) return known;
  const made = new Map(
    categories.flatMap(({ id, slug, label }) => [[id, label] as const, [slug, label] as const]),
  );
  namesOf.set(categories, made);
  return made;
}

/** Finds the name of a category by its id or slug. */
export function useItemName(): (item: string) => string | undefined {
  const { data } = useQuery(categoriesQuery);
  return (item) => (data === undefined ? undefined : names(data).get(item));
}

interface ResourceNameProps {
  readonly path: string;
  /** Where the same URL stands for several windows. */
  readonly withWindow?: boolean;
}

/** A key or path in words for people, with the names of the catalog. */
export function ResourceName({ path, withWindow = false }: ResourceNameProps) {
  return <ResourceWords path={path} nameOf={useItemName()} withWindow={withWindow} />;
}
