import { latestPath } from '#rating/resource-key.js';
import { parseResourcePath } from '#rating/resource-path.js';
import { labelOf, RESOURCES } from '#rating/resource.js';
import type { Member, Resource, ResourceName, ResourceOf } from '#rating/resource.js';

/** A resource whose values are those of the catalog, which may be newer than the page. */
type CatalogResource = {
  [Name in ResourceName]: { readonly resource: Name } & {
    readonly [Part in Exclude<keyof ResourceOf<Name>, 'resource'>]: string;
  };
}[ResourceName];

/** The path that asks for a resource in the running window. */
export function pathOf(resource: CatalogResource): string {
  return latestPath(resource as Resource);
}

/** `niacinamide-serum` → `Niacinamide serum` */
export function nameOfSlug(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A title and what stands small below it, for people: never the path itself. */
export function describePath(
  path: string,
  nameOf: (item: string) => string | undefined,
): { readonly title: string; readonly details: string; readonly window: string } {
  const parsed = parseResourcePath(path);
  if (parsed.outcome !== 'resource') return { title: path, details: '', window: '' };
  const { resource, window } = parsed;
  const members: Readonly<Partial<Record<Member, string>>> = resource;
  const { category = '', item = category, limit, group, region = '' } = members;
  const isId = /^[0-9a-f]{8}-/.test(item);
  const name = nameOf(item) ?? (isId ? item.slice(0, 8) : nameOfSlug(item));
  const { label } = RESOURCES[resource.resource];
  const details = [
    label + (limit === undefined ? '' : `, ${labelOf('limit', limit)}`),
    ...(group === undefined ? [] : [nameOfSlug(group).toLowerCase()]),
    region.toUpperCase(),
  ];
  return { title: name, details: details.join(' · '), window };
}
