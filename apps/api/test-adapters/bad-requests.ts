import { BRAND, SERUM } from './memory-releases.js';
import type { Ask } from './seen.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const RELATED = `/v1/latest/cat5/related-trends/top5/popindex/us/${SERUM}/ingredients`;
const SERIES = `/v1/latest/cat5/timeseries/popindex/us/${SERUM}`;
const JSON_TYPE = { 'content-type': 'application/json' };

type Row = [what: string, status: number, code: string, ask: Ask, faults?: unknown];

function paths(
  status: number,
  code: string,
  rows: readonly [what: string, url: string, fault?: string][],
): Row[] {
  return rows.map(([what, url, fault]) => [
    what,
    status,
    code,
    { url },
    fault === undefined ? undefined : [{ in: 'path', name: fault }],
  ]);
}

const PATHS: Row[] = [
  ...paths(400, 'invalid-parameter', [
    ['a region that is none', TRENDS.replace('/us/', '/xx/'), 'region'],
    ['a region in capitals', TRENDS.replace('/us/', '/US/'), 'region'],
    ['a level that is none', TRENDS.replace('cat2', 'cat6'), 'level'],
    ['a limit that is none', TRENDS.replace('top5', 'top10'), 'limit'],
    ['a slug with a capital', TRENDS.replace('skincare', 'Skincare'), 'category_name'],
    ['a slug of 201 characters', TRENDS.replace('skincare', 'x'.repeat(201)), 'category_name'],
    ['an id that is no UUID', RELATED.replace(SERUM, '42'), 'category_id'],
    ['an id without dashes', RELATED.replace(SERUM, SERUM.replaceAll('-', '')), 'category_id'],
    ['a group with an underscore', RELATED.replace('ingredients', 'in_gredients'), 'group'],
    ['a type that is none', SERIES.replace('cat5', 'cat4'), 'type'],
    ['a week that no year has', TRENDS.replace('latest', '2026w54'), 'window'],
    ['a week of one digit', TRENDS.replace('latest', '2026w7'), 'window'],
    ['another word for the window', TRENDS.replace('latest', 'newest'), 'window'],
    ['an escaped letter', TRENDS.replace('/us/', '/%75s/')],
    ['an escaped slash', TRENDS.replace('/us/', '/us%2F')],
    ['an escape that is broken', `${TRENDS}%`],
    ['an escape that is no UTF-8', TRENDS.replace('skincare', '%ff%fe')],
    ['an escaped null byte', TRENDS.replace('skincare', 'skin%00care')],
  ]),
  ...paths(404, 'not-found', [
    ['no path', '/v1/'],
    ['a shape that is none', '/v1/latest'],
    ['a trailing slash', `${TRENDS}/`],
    ['an empty segment', TRENDS.replace('/us/', '/us//')],
    ['a segment too many', `${TRENDS}/more`],
    ['a segment too few', '/v1/latest/cat2/trends/top5/popindex/us'],
    ['a literal that is another', TRENDS.replace('popindex', 'index')],
    ['a short shape that does not exist', SERIES.replace('/latest', '')],
    ['another version', TRENDS.replace('/v1/', '/v2/')],
    ['two slashes at the start', `/${TRENDS}`],
    ['the prefix in capitals', TRENDS.replace('/v1/', '/V1/')],
    ['an unknown address', '/nothing/here'],
    ['an address with a broken escape', '/%zz'],
    ['an unknown problem', '/problems/nonsense'],
    ['a free resource with a slash', '/v1/account/'],
    ['a call that does not exist', `/v1/calls/${SERUM}`],
  ]),
  ...paths(404, 'unknown-item', [
    ['a slug that is unknown', TRENDS.replace('skincare', 'haircare')],
    ['an id that is unknown', RELATED.replace(SERUM, BRAND)],
    ['an id of another level', RELATED.replace('cat5', 'cat4')],
    ['a category asked as a brand', SERIES.replace('cat5', 'brand')],
  ]),
  ...paths(404, 'unknown-window', [
    ['the next week', TRENDS.replace('latest', '2026w48')],
    ['a far week', TRENDS.replace('latest', '2999w01')],
    ['a week before the first release', TRENDS.replace('latest', '2026w44')],
    ['an old week', TRENDS.replace('latest', '1999w01')],
  ]),
  ...paths(404, 'no-data', [
    ['a region without rows', TRENDS.replace('/us/', '/kr/')],
    ['a region without points', SERIES.replace('/us/', '/kr/')],
  ]),
];

function faulty(name: string, value: string | string[]): Row {
  const headers = { [name.toLowerCase()]: value };
  const what = `${name}: ${String(value).slice(0, 30)}`;
  return [what, 400, 'invalid-parameter', { url: TRENDS, headers }, [{ in: 'header', name }]];
}

function query(what: string, url: string, name: string): Row {
  return [what, 400, 'invalid-parameter', { url }, [{ in: 'query', name }]];
}

const CALLS_CURSOR = Buffer.from('["calls asc","6"]').toString('base64url');

const REQUESTS: Row[] = [
  query('a query on a metered path', `${TRENDS}?limit=5`, 'limit'),
  query('a query of a name alone', `${TRENDS}?x`, 'x'),
  query('a key in the query', `${TRENDS}?api_key=pix_live_x`, 'api_key'),
  query('a broken escape in the query', `${TRENDS}?x=%ff`, 'x'),
  query('an unknown parameter of a list', '/v1/account/calls?page=2', 'page'),
  query('a repeated parameter', '/v1/account/calls?limit=1&limit=2', 'limit'),
  query('a limit of nothing', '/v1/account/calls?limit=0', 'limit'),
  query('a limit too high', '/v1/account/windows?limit=1001', 'limit'),
  [
    'a cursor that is none',
    400,
    'invalid-parameter',
    { url: '/v1/account/calls?after=nonsense' },
    [{ in: 'query', name: 'after', value: 'nonsense' }],
  ],
  query('a cursor that is none, of sums', '/v1/account/usage?by=day&after=nonsense', 'after'),
  query('a cursor that is none, of a CSV', '/v1/account/calls?after=nonsense', 'after'),
  query('a cursor of calls, of windows', `/v1/account/windows?after=${CALLS_CURSOR}`, 'after'),
  query('sums by what nobody knows', '/v1/account/usage?by=day,colour', 'by'),
  query('sums by a name that is missing', '/v1/account/usage?by=day,', 'by'),
  query('sums by the same twice', '/v1/account/usage?by=day,day', 'by'),
  query('sums from a time that is none', '/v1/account/usage?from=yesterday', 'from'),
  query('sums as of a time that is none', '/v1/account/usage?as_of=now', 'as_of'),
  query('a time to come', '/v1/account?as_of=2026-11-22', 'as_of'),
  query('a window as of a time that is none', '/v1/account/windows?as_of=x', 'as_of'),
  query('an order that is none', '/v1/account/calls?order=up', 'order'),
  query('a time that is none', '/v1/account/calls?from=yesterday', 'from'),
  query('a day that is none', '/v1/account/calls?to=2026-02-30', 'to'),
  query('a time without an offset', '/v1/account/calls?to=2026-11-21T10:00:00', 'to'),
  query('a kind that is none', '/v1/account/calls?kind=first', 'kind'),
  query('a key id that is none', '/v1/account/calls?api_key_id=1', 'api_key_id'),
  query('a tag that is none', '/v1/account/calls?tag=Team', 'tag'),
  query('a key that is none', '/v1/account/calls?resource_key=x', 'resource_key'),
  query('no key, but a path', `/v1/account/calls?resource_key=${TRENDS}`, 'resource_key'),
  query('a NUL in a label', '/v1/account/windows?window=2026w47%00', 'window'),
  [
    'a period that ends before it begins, and a cursor that is none',
    400,
    'invalid-parameter',
    { url: '/v1/account/calls?from=2026-11-22&to=2026-11-21&order=up&after=zzz' },
    [
      { in: 'query', name: 'after', value: 'zzz' },
      { in: 'query', name: 'order', value: 'up', allowed: ['asc', 'desc'] },
      { in: 'query', name: 'from', value: '2026-11-22', detail: '"from" is later than "to".' },
      { in: 'query', name: 'to', value: '2026-11-21', detail: '"from" is later than "to".' },
    ],
  ],
  query('a window that is none', '/v1/account/windows?window=2026w60', 'window'),
  query('a query of the account', '/v1/account?verbose=1', 'verbose'),
  query('a query of a call', `/v1/calls/${SERUM}?x=1`, 'x'),
  faulty('Idempotency-Key', 'a b'),
  faulty('Idempotency-Key', 'x'.repeat(256)),
  faulty('Idempotency-Key', ['a', 'b']),
  faulty('Credits-Max', '-1'),
  faulty('Credits-Max', 'ten'),
  faulty('Credits-Max', ['10', '10']),
  faulty('Credits-Tag', 'Team=nails'),
  faulty('Credits-Tag', 'a=1,b=2,c=3,d=4,e=5,f=6'),
  [
    'an id that is no UUID',
    400,
    'invalid-parameter',
    { url: '/v1/calls/42' },
    [{ in: 'path', name: 'call_id' }],
  ],
  [
    'a grant that is no UUID, and a kind that is none',
    400,
    'invalid-parameter',
    { url: '/v1/account/grants/42/calls?kind=first' },
    [
      { in: 'path', name: 'grant_id', value: '42' },
      { in: 'query', name: 'kind', value: 'first' },
    ],
  ],
  [
    'a grant of another account',
    404,
    'not-found',
    { url: `/v1/account/grants/${SERUM}/calls`, headers: { accept: 'text/csv' } },
  ],
  ['HTML only', 406, 'not-acceptable', { url: TRENDS, headers: { accept: 'text/html' } }],
  [
    'JSON refused',
    406,
    'not-acceptable',
    { url: TRENDS, headers: { accept: 'application/json;q=0' } },
  ],
  ['CSV of data', 406, 'not-acceptable', { url: TRENDS, headers: { accept: 'text/csv' } }],
  [
    'HTML of a list',
    406,
    'not-acceptable',
    { url: '/v1/account/calls', headers: { accept: 'text/html' } },
  ],
  [
    'CSV of the account',
    406,
    'not-acceptable',
    { url: '/v1/account', headers: { accept: 'text/csv' } },
  ],
  [
    'every coding refused',
    406,
    'not-acceptable',
    { url: TRENDS, headers: { 'accept-encoding': '*;q=0' } },
  ],
  [
    'identity refused alone',
    406,
    'not-acceptable',
    { url: TRENDS, headers: { 'accept-encoding': 'identity;q=0' } },
  ],
  ['an address too long', 414, 'uri-too-long', { url: `${TRENDS}${'x'.repeat(9000)}` }],
  ['a query too long', 414, 'uri-too-long', { url: `/v1/account/calls?after=${'x'.repeat(9000)}` }],
  [
    'a ceiling below the price',
    412,
    'price-above-maximum',
    { url: TRENDS, headers: { 'credits-max': '34' } },
  ],
];

const METHODS: Row[] = (
  [
    ['POST', TRENDS],
    ['PUT', TRENDS],
    ['PATCH', SERIES],
    ['DELETE', RELATED],
    ['POST', '/v1/account'],
    ['DELETE', '/v1/account/calls'],
    ['PATCH', `/v1/calls/${SERUM}`],
    ['GET', '/v1/quotes'],
    ['HEAD', '/v1/quotes'],
    ['PUT', '/v1/quotes'],
    ['POST', '/openapi.json'],
    ['POST', '/healthz'],
    ['DELETE', '/problems/internal'],
  ] as const
).map(([method, url]): Row => [`${method} ${url}`, 405, 'method-not-allowed', { method, url }]);

function body(
  what: string,
  status: number,
  code: string,
  payload: string | Buffer,
  pointers: readonly string[] | undefined,
  headers: Record<string, string> = JSON_TYPE,
): Row {
  const asked: Ask = { method: 'POST', url: '/v1/quotes', payload, headers };
  return [what, status, code, asked, pointers?.map((pointer) => ({ pointer }))];
}

const long = JSON.stringify({ urls: Array.from({ length: 1001 }, () => TRENDS) });
const BODIES: Row[] = [
  body('no body', 400, 'invalid-body', '', ['']),
  body('no JSON', 400, 'invalid-body', 'urls', ['']),
  body('JSON cut off', 400, 'invalid-body', '{"urls":[', ['/urls/0']),
  body('a list for an object', 400, 'invalid-body', '[]', ['']),
  body('null', 400, 'invalid-body', 'null', ['']),
  body('no member', 400, 'invalid-body', '{}', ['/urls']),
  body('no address', 400, 'invalid-body', '{"urls":[]}', ['/urls']),
  body('too many addresses', 400, 'invalid-body', long, ['/urls']),
  body('an address that is a number', 400, 'invalid-body', '{"urls":["/a",1]}', ['/urls/1']),
  body('unknown members', 400, 'invalid-body', '{"urls":["/a"],"a":1,"b/c":2}', ['/a', '/b~1c']),
  body('a member twice', 400, 'invalid-body', '{"urls":["/a"],"urls":["/b"]}', ['/urls']),
  body('a prototype', 400, 'invalid-body', '{"urls":["/a"],"__proto__":{}}', ['/__proto__']),
  body('bytes that are no UTF-8', 400, 'invalid-body', Buffer.from([0x7b, 0xff, 0x7d]), ['']),
  body('half a surrogate pair', 400, 'invalid-body', '{"urls":["\\ud800"]}', ['/urls/0']),
  body('a deep nest', 400, 'invalid-body', '['.repeat(50_000), ['/0'.repeat(65)]),
  body('XML', 415, 'unsupported-media-type', '<urls/>', undefined, { 'content-type': 'text/xml' }),
  body('a form', 415, 'unsupported-media-type', 'urls=a', undefined, {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  body('plain text', 415, 'unsupported-media-type', '{}', undefined, {
    'content-type': 'text/plain',
  }),
  body('a type that is none', 415, 'unsupported-media-type', '{}', undefined, {
    'content-type': 'nonsense',
  }),
  body('another charset', 415, 'unsupported-media-type', '{}', undefined, {
    'content-type': 'application/json; charset=latin1',
  }),
  body('a compressed body', 415, 'unsupported-media-type', '{}', undefined, {
    ...JSON_TYPE,
    'content-encoding': 'gzip',
  }),
  body('a body too large', 413, 'too-large', `{"urls":["${'x'.repeat(1_100_000)}"]}`, undefined),
];

/** Requests that are wrong, each with what it is refused with. No one of them may cost anything. */
export const BAD_REQUESTS = [...PATHS, ...REQUESTS, ...METHODS, ...BODIES].map(
  ([what, status, code, asked, faults]) => [what, status, code, { asked, faults }] as const,
);
