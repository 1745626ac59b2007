import type { Operation, Parameter, PathItem } from '#web/openapi-document.js';
import type { ProblemSlug } from '#web/problem.js';
import { changeOperation, readOperation, type Route } from '../../admin/openapi/operation.js';
import { PAGE } from '#rest/operation/page-parameters.js';

const TAG = 'Data';
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const OF_BODIES: readonly ProblemSlug[] = ['invalid-body', 'too-large', 'unsupported-media-type'];
/** What the API may refuse a path with. */
const OF_PATHS: readonly ProblemSlug[] = ['unknown-item', 'unknown-window', 'no-data'];
const OF_PULLS: readonly ProblemSlug[] = [
  ...OF_PATHS,
  'out-of-credits',
  'budget-exhausted',
  'account-suspended',
  'idempotency-key-used',
  'price-above-maximum',
];

const UUID = { type: 'string', format: 'uuid' };

function query(name: string, description: string, type: object = { type: 'string' }): Parameter {
  return { name, in: 'query', description, schema: { ...type } };
}

const PULL: Route = {
  id: 'pull',
  tag: TAG,
  summary: 'One metered call, with the account\'s API key "Portal"',
  description:
    'It goes to the public API like any other call: limits, charge and idempotency are the same, and ' +
    'so are refusals. The key is made at the first pull; after it was revoked the next pull says so, ' +
    'and the one behind it makes another.',
  body: { schema: 'Pull', required: true, example: { path: PATH, credits_max: 35 } },
  answer: { status: 200, schema: 'Pulled' },
};

const QUOTE: Route = {
  id: 'quote',
  tag: TAG,
  summary: 'What calls would cost, in their order',
  description: 'As `POST /v1/quotes`. Free. Viewers may ask once the account has its key "Portal".',
  body: { schema: 'QuoteRequest', required: true, example: { urls: [PATH] } },
  answer: { status: 200, schema: 'Quoted' },
};

const VIEW: Route = {
  id: 'view',
  tag: TAG,
  summary: 'Data that the account has paid, to look at without another call',
  description: '60 a minute. What is not paid is 412 with its price in `required_credits`.',
  query: [{ ...query('path', 'A path of the API.'), required: true, example: PATH }],
  answer: { status: 200, schema: 'View' },
};

const CATALOG: Route = {
  id: 'getCatalog',
  tag: TAG,
  summary: 'What can be asked for: names, without figures',
  answer: { status: 200, schema: 'Catalog' },
};

const BRANDS: Route = {
  id: 'listBrands',
  tag: TAG,
  summary: 'Brands by label',
  query: [
    ...PAGE,
    query('search', 'Part of a label, in any case.'),
    query('category_id', 'Brands of that category, or of one below it.', UUID),
    query('brand_id', 'That brand alone.', UUID),
  ],
  answer: { status: 200, schema: 'BrandList' },
};

const EVENTS: Route = {
  id: 'listen',
  tag: 'Events',
  summary: 'What happens to the account, as it happens (server-sent events)',
  description:
    'Each message has an `id`, the version of the account: a stream that broke off goes on behind ' +
    '`Last-Event-ID`. Kinds: `ready` first, then `call`, `alert`, `blocked`, `budget`, `api_key`, ' +
    '`credits`, `window`, `clock`, `invoice`, `account`; `reset`: so much was missed that all has to ' +
    'be read anew; `signed_out`: the session is over.',
  answer: { status: 200 },
};

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last message that was read.',
  schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
};

function events(baseUrl: string): Operation {
  const read = readOperation(EVENTS, baseUrl);
  const { 200: ok, ...refused } = read.responses;
  if (ok === undefined) throw new Error('An operation without an answer.');
  const content = { 'text/event-stream': { schema: { type: 'string' } } };
  return {
    ...read,
    parameters: [LAST_EVENT_ID],
    responses: { 200: { ...ok, content }, ...refused },
  };
}

/** Paths of data, of what it costs, and of the stream of events. */
export function dataPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/portal/v1/pulls': { post: changeOperation(PULL, baseUrl, OF_PULLS) },
    '/portal/v1/quotes': {
      post: changeOperation(QUOTE, baseUrl, [...OF_BODIES, 'account-suspended']),
    },
    '/portal/v1/views': {
      get: readOperation(VIEW, baseUrl, [...OF_PATHS, 'price-above-maximum']),
    },
    '/portal/v1/catalog': { get: readOperation(CATALOG, baseUrl, ['unknown-window']) },
    '/portal/v1/catalog/brands': { get: readOperation(BRANDS, baseUrl, ['unknown-window']) },
    '/portal/v1/events': { get: events(baseUrl) },
  };
}
