import { explorerPath, readExplorerSearch, type ExplorerSearch } from './explorer-search.js';
import type { Catalog, Category } from '../../rest/answers.js';

const category = (
  id: string,
  level: Category['level'],
  slug: string,
  parent: string | null,
): Category => ({ id, level, slug, label: slug, parent_id: parent });

const catalog: Catalog = {
  groups: ['concerns', 'ingredients'],
  categories: [
    category('id-1', 'cat1', 'beauty', null),
    category('id-2', 'cat2', 'skincare', 'id-1'),
    category('id-5', 'cat5', 'niacinamide', 'id-2'),
  ],
};

const cases: [ExplorerSearch, string | undefined][] = [
  [{}, '/v1/latest/cat1/trends/top5/popindex/us/beauty'],
  [
    { kind: 'brands', category: 'id-2', region: 'fr', limit: 'all' },
    '/v1/latest/cat2/brands/all/popindex/fr/skincare',
  ],
  [
    { kind: 'related-trends', category: 'id-5', group: 'ingredients' },
    '/v1/latest/cat5/related-trends/top5/popindex/us/id-5/ingredients',
  ],
  [{ kind: 'timeseries', category: 'id-5' }, '/v1/latest/cat5/timeseries/popindex/us/id-5'],
  [{ kind: 'timeseries', category: 'id-2' }, '/v1/latest/cat5/timeseries/popindex/us/id-5'],
  [{ kind: 'brand-timeseries' }, undefined],
  [
    { kind: 'brand-timeseries', brand: 'b-1', region: 'fr' },
    '/v1/latest/brand/timeseries/popindex/fr/b-1',
  ],
];

test.each(cases)('the choice %j asks for %s', (search, path) => {
  expect(explorerPath(search, catalog)).toBe(path);
});

test('a listing of a cat5, which has none below it, falls back to the first that has', () => {
  expect(explorerPath({ kind: 'trends', category: 'id-5' }, catalog)).toContain('/beauty');
});

test('the address holds only what it may', () => {
  expect(readExplorerSearch({ kind: 'moon', region: 'us', limit: 5, x: 'y', tab: 1 })).toEqual({
    region: 'us',
    limit: '5',
  });
  expect(readExplorerSearch({ tab: 'quote' })).toEqual({ tab: 'quote' });
});
