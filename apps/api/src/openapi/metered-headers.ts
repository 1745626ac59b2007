import { RATE_HEADERS } from '#rest/operation/headers.js';
import { REQUEST_ID_HEADER } from '#web/foundation-paths.js';
import type { Header, Schema } from '#web/openapi-document.js';

type Headers = Readonly<Record<string, Header>>;

const credits: Schema = { type: 'integer', minimum: 0 };
const label: Schema = { type: 'string', pattern: '^\\d{4}w\\d{2}$' };

function header(description: string, schema: Schema, required = true): Header {
  return { description, required, schema };
}

const WINDOW_HEADERS: Headers = {
  'Credits-Window': header('Label of the running window.', label),
  'Credits-Window-Ends': header('When the running window ends.', {
    type: 'string',
    format: 'date-time',
  }),
};

const KIND = header('Whether this is a first call of the key in its window or a later one.', {
  $ref: '#/components/schemas/CallKind',
});

/** Headers of the data, whether it is sold or quoted. */
const DATA_HEADERS: Headers = {
  'Data-Release': header('Label of the release that answers.', { type: 'string' }),
  'Data-Through': header('The newest month of that release.', { type: 'string', format: 'date' }),
  'Data-Unchanged-Since': header('The earliest window whose answer was the same.', label),
  ETag: header('Weak validator of the key and its release.', {
    type: 'string',
    pattern: '^W/".+"$',
  }),
};

/** Headers of every metered 200 and 304. */
export const SOLD_HEADERS: Headers = {
  ...REQUEST_ID_HEADER,
  'Call-Id': header('Id of the call. `GET /v1/calls/{call_id}` explains its price.', {
    type: 'string',
    format: 'uuid',
  }),
  'Credits-Used': header('Credits charged for this call.', credits),
  'Credits-Kind': KIND,
  'Credits-Balance': header(
    'Balance after the charge; absent for accounts without a limit.',
    { type: 'integer' },
    false,
  ),
  ...WINDOW_HEADERS,
  ...DATA_HEADERS,
  'Cache-Control': header(
    'Fresh until the running window ends; an answer of a past window stays fresh for ever.',
    {
      type: 'string',
      pattern: '^(?:private, max-age=\\d+(?:, immutable)?|no-store)$',
    },
  ),
  Vary: header('Request headers on which the answer depends.', {
    const: 'Authorization, Accept-Encoding',
  }),
  'Idempotent-Replayed': header(
    '`true` on a replayed answer: nothing was charged for it.',
    { const: 'true' },
    false,
  ),
  Receipt: header(
    'The signed receipt of the call, where it was preferred: a compact JWS, whose key is listed at `/.well-known/jwks.json`.',
    { type: 'string', pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
    false,
  ),
  'Preference-Applied': header('Which preference was honoured.', { const: 'receipt' }, false),
  ...RATE_HEADERS,
};

/** Headers of a HEAD: a price, not a charge. */
export const ESTIMATE_HEADERS: Headers = {
  ...REQUEST_ID_HEADER,
  'Call-Id': header(
    'Id of the call that was made under the `Idempotency-Key`, if there was one.',
    { type: 'string', format: 'uuid' },
    false,
  ),
  'Credits-Estimate': header(
    'Credits that GET would cost; 0 if it would replay an answer.',
    credits,
  ),
  'Credits-Kind': KIND,
  ...WINDOW_HEADERS,
  ...DATA_HEADERS,
  'Cache-Control': header('The answer must not be cached.', { const: 'no-store' }),
  'Idempotent-Replayed': header('`true` if GET would replay an answer.', { const: 'true' }, false),
  ...RATE_HEADERS,
};
