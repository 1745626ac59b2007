import type { IncomingMessage } from 'node:http';
import { CrossOrigin } from './cross-origin.js';

const PAGE = 'https://app.example.com';

function asked(origin: string | undefined, method = 'GET'): IncomingMessage {
  return { method, headers: { origin } } as unknown as IncomingMessage;
}

function allowed(origins: readonly string[], origin: string | undefined, target: string): unknown {
  const headers = new CrossOrigin(origins).headersOf(asked(origin), target);
  return headers[headers.indexOf('Access-Control-Allow-Origin') + 1];
}

test.each([
  [[], PAGE, '/v1/account', undefined],
  [[PAGE], PAGE, '/v1/account', PAGE],
  [[PAGE], 'https://app.example.com.evil.example', '/v1/account', undefined],
  [[PAGE], 'null', '/v1/account', undefined],
  [[PAGE], undefined, '/v1/account', undefined],
  [['*'], 'null', '/v1/account', '*'],
  [[], PAGE, '/openapi.json', '*'],
  [[], PAGE, '/problems/out-of-credits', '*'],
  [[], PAGE, '/.well-known/jwks.json', '*'],
  [[], PAGE, '/problems/../v1/account', undefined],
  [[], PAGE, '/metrics', undefined],
])('with %j a page of %s may read %s: %s', (origins, origin, target, expected) => {
  expect(allowed(origins, origin, target)).toBe(expected);
});

test('a preflight names methods and headers, and an answer that depends on the origin says so', () => {
  const shared = new CrossOrigin([PAGE]);
  const preflight = shared.headersOf(asked(PAGE, 'OPTIONS'), '/v1/quotes');
  expect(preflight.join(' ')).toMatch(/Vary Origin.*Allow-Methods GET.*Authorization/);
  expect(shared.headersOf(asked(PAGE), '/v1/quotes')).toContain('Access-Control-Expose-Headers');
});
