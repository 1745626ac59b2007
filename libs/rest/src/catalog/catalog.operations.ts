import { jsonText, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { DATA_READ, SESSION_READ } from '../operation/permissions.js';
import { BRANDS_QUERY, VIEW_QUERY } from './catalog-queries.js';
import { Brand, Catalog, View } from './catalog.schemas.js';
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
  may: SESSION_READ,
  query: VIEW_QUERY,
  answer: jsonText(View),
  problems: ['unknown-item', 'unknown-window', 'no-data', 'price-above-maximum', 'not-found'],
  run: async (free, { path, query }) => ({ view: await free.look(path.account_id, query.path) }),
});

const catalog = names.read({
  id: 'getCatalog',
  path: '/accounts/{account_id}/catalog',
  summary: 'Categories and other names that calls can use, without figures',
  description: 'Names of the release that serves the account now. Free.',
  may: DATA_READ,
  answer: ok(Catalog),
  problems: ['unknown-window'],
  run: async (reads, { path }) => ({ view: await reads.all(path.account_id) }),
});

const brands = names.read({
  id: 'listBrands',
  path: '/accounts/{account_id}/catalog/brands',
  summary: 'Brands by label',
  description: 'Of the release that serves the account now, a page at a time. Free.',
  may: DATA_READ,
  query: BRANDS_QUERY,
  answer: page(Brand),
  problems: ['unknown-window'],
  run: async (reads, { path, query }) => ({ view: await reads.brands(path.account_id, query) }),
});

/** The catalog, and free views of data that the account has paid for. */
export const CATALOG: readonly Resource[] = [
  { service: FreeViews, operations: [view] },
  { service: CatalogReads, operations: [catalog, brands] },
];
