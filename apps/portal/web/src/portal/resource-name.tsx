import { useQuery } from '@tanstack/react-query';
import { ResourceWords } from '../account/resource-words.js';
import type { Catalog } from '../rest/data-answers.js';
import { catalogQuery } from '../rest/data-queries.js';

const namesOf = new WeakMap<Catalog, ReadonlyMap<string, string>>();

function names(catalog: Catalog): ReadonlyMap<string, string> {
  const known = namesOf.get(catalog);
  if (known !== undefined) return known;
  const made = new Map(
    catalog.categories.flatMap(({ id, slug, label }) => [
      [id, label] as const,
      [slug, label] as const,
    ]),
  );
  namesOf.set(catalog, made);
  return made;
}

/** Finds the name of a category by its id or slug. */
export function useItemName(): (item: string) => string | undefined {
  const { data } = useQuery(catalogQuery);
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
