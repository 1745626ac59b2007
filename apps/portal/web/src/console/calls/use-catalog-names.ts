import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Category } from '../../rest/answers.js';
import { readWhole } from '../../rest/reads.js';
import { admin } from '../admin.js';

/** Names are those of the releases, which all accounts have in common. */
function categoriesOf(accountId: string) {
  return queryOptions({
    queryKey: ['catalog', 'categories'],
    queryFn: async ({ signal }) => {
      const catalog = admin.listCatalog({ account_id: accountId, level: 'category' });
      return (await readWhole(catalog, signal)).items as readonly Category[];
    },
    staleTime: Infinity,
    enabled: accountId !== '',
  });
}

/** Finds the name of a category by its id or slug. `accountId`: any that calls. */
export function useCatalogNames(accountId = ''): (item: string) => string | undefined {
  const { data } = useQuery(categoriesOf(accountId));
  return useMemo(() => {
    const names = new Map(
      data?.flatMap(({ id, slug, label }) => [[id, label] as const, [slug, label] as const]),
    );
    return (item) => names.get(item);
  }, [data]);
}
