import { regionLabel, REGIONS } from '#popularity/regions.js';
import { jsonText, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { CATALOG_READ, DATA_READ, SESSION_READ } from '../operation/permissions.js';
import { PAGE, pageBy } from '../operation/queries.js';
import { CATALOG_QUERY, VIEW_QUERY } from './catalog-queries.js';
import { CatalogItem, CatalogValue, View } from './catalog.schemas.js';
import { CatalogReads } from './catalog.js';
import { FreeViews } from './free-views.js';

const TAG = 'Data';

const views = operationsOf<FreeViews>(TAG);
const names = operationsOf<CatalogReads>(TAG);

const view = views.read({
  id: 'view',
  path: '/accounts/{account_id}/views',
  summary: 'Data that the account has paid for, without another call',
  description:
    'At most 60 a minute. Data that is not paid for is refused with 412 and its price in `required_credits`.',
  access: SESSION_READ,
  query: VIEW_QUERY,
  answer: jsonText(View),
  problems: ['unknown-item', 'unknown-window', 'no-data', 'price-above-maximum', 'not-found'],
  run: async (free, { path, query }) => ({ view: await free.look(path.account_id, query.path) }),
});

const catalog = names.read({
  id: 'listCatalog',
  path: '/accounts/{account_id}/catalog',
  summary: 'Categories and brands that calls can name, without figures',
  description:
    'Of the release that serves the account now: categories, each behind the one above it, then brands by label. Free.',
  access: CATALOG_READ,
  query: CATALOG_QUERY,
  answer: page(CatalogItem),
  problems: ['unknown-window'],
  run: async (reads, { path, query }) => ({ view: await reads.page(path.account_id, query) }),
});

const groups = names.read({
  id: 'listCatalogGroups',
  path: '/accounts/{account_id}/catalog/groups',
  summary: 'Groups of related trends',
  description:
    'Values of `{group}` in paths in the order of their names, of the release that serves the account now. Free.',
  access: DATA_READ,
  query: PAGE,
  answer: page(CatalogValue),
  problems: ['unknown-window'],
  async run(reads, { path, query }) {
    const pageOf = pageBy(query);
    return { view: pageOf(await reads.groups(path.account_id)) };
  },
});

const regions = names.read({
  id: 'listCatalogRegions',
  path: '/accounts/{account_id}/catalog/regions',
  summary: 'Regions that calls can name',
  description:
    'Values of `{region}` in paths, with their names, in the order in which `{region}` lists them. Free.',
  access: DATA_READ,
  query: PAGE,
  answer: page(CatalogValue),
  run: (_reads, { query }) => ({ view: pageBy(query)(regionValues()) }),
});

function regionValues(): readonly CatalogValue[] {
  return REGIONS.map((slug) => ({ slug, label: regionLabel(slug) }));
}

/** The catalog, and free views of data that the account has paid for. */
export const CATALOG: readonly Resource[] = [
  { service: FreeViews, operations: [view] },
  { service: CatalogReads, operations: [catalog, groups, regions] },
];
