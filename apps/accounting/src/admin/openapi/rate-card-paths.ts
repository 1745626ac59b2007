import type { Header, Parameter, PathItem } from '#web/openapi-document.js';
import { changeOperation, readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const LOCATION: Header = {
  description: 'Address of the rate card.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

const VERSION: Parameter = {
  name: 'version',
  in: 'path',
  required: true,
  description: 'Version of the rate card.',
  schema: { type: 'integer', minimum: 1 },
};

const RULES = [
  { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 30 } },
  { name: 'per row', match: {}, data_cost: { per_row: 5 } },
];

const PUBLISH: Route = {
  id: 'publishRateCard',
  tag: 'Rate cards',
  summary: 'Publishes a rate card for a window to come',
  description:
    'It prices every call from the beginning of that window on, until the window of another card. ' +
    'Of several cards for one window the newest version counts. A window that runs already, or ' +
    'begins in less than 60 s, is refused.',
  body: {
    schema: 'PublishRateCard',
    required: true,
    example: { effective_window: '2027w01', call_cost: 10, rules: RULES, reason: 'New year.' },
  },
  answer: { status: 201, schema: 'RateCard' },
  headers: { Location: LOCATION },
};

const LIST: Route = {
  id: 'listRateCards',
  tag: 'Rate cards',
  summary: 'All rate cards, by version',
  query: PAGE,
  answer: { status: 200, schema: 'RateCardList' },
};

const SHOW: Route = {
  id: 'getRateCard',
  tag: 'Rate cards',
  summary: 'One rate card',
  path: [VERSION],
  answer: { status: 200, schema: 'RateCard' },
};

const DIFF: Route = {
  id: 'diffRateCards',
  tag: 'Rate cards',
  summary: 'What a rate card changes against another one',
  path: [VERSION],
  query: [
    {
      name: 'against',
      in: 'query',
      required: true,
      description: 'The version to compare with.',
      schema: { type: 'integer', minimum: 1 },
    },
  ],
  answer: { status: 200, schema: 'RateCardDiff' },
};

const PREVIEW: Route = {
  id: 'previewRateCard',
  tag: 'Rate cards',
  summary: 'What a period would have cost by a rate card',
  description:
    'Prices the calls of the period anew, as first and repeated calls as they were, whatever card ' +
    'their account had. Nothing is written, and no balance is looked at. A process works out one ' +
    'preview at a time.',
  query: [
    {
      name: 'test',
      in: 'query',
      description: 'With test accounts; an account that is named is counted in any case.',
      schema: { type: 'boolean', default: false },
    },
  ],
  body: {
    schema: 'PreviewRateCard',
    required: true,
    example: { call_cost: 10, rules: RULES, from: '2026-10-01', to: '2026-11-01' },
  },
  answer: { status: 200, schema: 'RateCardPreview', csv: true },
};

/** Paths of rate cards. */
export function rateCardPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/rate-cards': {
      post: changeOperation(PUBLISH, baseUrl),
      get: readOperation(LIST, baseUrl),
    },
    '/admin/v1/rate-cards/preview': {
      post: readOperation(PREVIEW, baseUrl, [
        'conflict',
        'invalid-body',
        'too-large',
        'unsupported-media-type',
      ]),
    },
    '/admin/v1/rate-cards/{version}': { get: readOperation(SHOW, baseUrl) },
    '/admin/v1/rate-cards/{version}/diff': { get: readOperation(DIFF, baseUrl) },
  };
}
