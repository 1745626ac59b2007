import { interfaceDocument } from '#rest/interface-document.js';
import { PUBLIC } from '#rest/operation/interfaces.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { answerSchemas } from './answer-schemas.js';
import { pathSchemas } from './metered-parameters.js';
import { jwksPath } from './jwks-path.js';
import { METERED_TAG, meteredPaths } from './metered-paths.js';
import { VERSION } from '#web/version.js';

const DESCRIPTION =
  'Popularity-index data, scored per region, for product categories and brands: the trends related ' +
  'to a category, listings, and volumes over time. Every call of data is metered in credits.\n\n' +
  'Errors are `application/problem+json` (RFC 9457): `code` identifies them, `type` leads to a ' +
  'page that explains each, and the id in `instance` and `Request-Id` finds it in the log.\n\n' +
  'Quotes and reads of the account of the API key are free; caches must not store them. Lists are ' +
  'also available as CSV (`Accept: text/csv`): page by page with a `limit`, where the `Link` header ' +
  'leads to the next page; without a `limit` the whole list, where a connection that ends early ' +
  'means that rows are missing. A cell that a spreadsheet would run as a formula begins with an ' +
  'apostrophe.';

/** The OpenAPI document of the public API. */
export function apiDocument(baseUrl: string): OpenApiDocument {
  return interfaceDocument(PUBLIC, baseUrl, {
    title: 'Popindex public API',
    version: VERSION,
    description: DESCRIPTION,
    serverUrl: baseUrl,
    tags: [
      METERED_TAG,
      { name: 'Accounts', description: 'The account of the API key.' },
      { name: 'Usage', description: 'Calls, and what they cost.' },
      {
        name: 'Invoices',
        description: 'Invoices, credit notes and the draft of the running month.',
      },
      { name: 'Statements', description: 'Statements of a month in credits.' },
      { name: 'Budgets', description: 'Limits on spending, with alerts.' },
      { name: 'Disputes', description: 'Complaints about calls, and their answers.' },
      { name: 'API keys', description: 'Keys for this API.' },
      {
        name: 'Webhooks',
        description: 'URLs that receive notifications, with their deliveries.',
      },
    ],
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `pix_live_…` or `pix_test_…`. Never put it into the URL.',
      },
    },
    metered: {
      paths: { ...meteredPaths(baseUrl), ...jwksPath(baseUrl) },
      schemas: { ...pathSchemas(), ...answerSchemas() },
    },
  });
}
