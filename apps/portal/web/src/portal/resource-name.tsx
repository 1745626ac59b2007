import { useQuery } from '@tanstack/react-query';
import { describePath } from '../format/resource-path.js';
import type { Catalog } from '../rest/data-answers.js';
import { catalogQuery } from '../rest/data-queries.js';
import css from './resource-name.module.css';

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

/** A key or path in words for people; as it stands on hover. */
export function ResourceName({ path, withWindow = false }: ResourceNameProps) {
  const described = describePath(path, useItemName());
  const { title } = described;
  const details = withWindow ? `${described.details} · ${described.window}` : described.details;
  return (
    <span className={css.name} title={path}>
      <span className={css.title}>{title}</span>
      {details !== '' && <span className={css.details}>{details}</span>}
    </span>
  );
}
