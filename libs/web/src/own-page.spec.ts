import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { FIRST_PAGE, findOwnPage, ownPage, type Site } from './own-page.js';

const SITES: readonly Site[] = ['portal', 'console'];

test.each([
  ['/', '/'],
  ['/usage?by=day&from=2026-11-01', '/usage?by=day&from=2026-11-01'],
  ['/usage/', '/usage'],
  ['/invoices/INV-000001#part', '/invoices/INV-000001'],
  ['/dashboard/categories/skincare?country=us', '/dashboard/categories/skincare?country=us'],
  ['/explorer?tab=quote&to=//evil.example/', '/explorer?tab=quote&to=//evil.example/'],
  ['/usage?name="a"', '/usage?name=%22a%22'],
])('%j is a page of the portal: %j', (address, page) => {
  expect(findOwnPage('portal', address)).toBe(page);
});

test.each([
  undefined,
  '',
  'usage',
  '/nowhere',
  '/portal/v1/session',
  '/console',
  '/invoices/INV-000001/pdf',
  'https://evil.example/',
  'https:evil.example',
  'https:/usage',
  '//',
  '//evil.example/usage',
  '///evil.example',
  '/.//evil.example/',
  '/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/usage/..//evil.example',
  '/usage//evil.example',
  '/usage/../invoices',
  '//usage',
  '/usage//',
  '/%2f/evil.example',
  '/%2fevil.example',
  '/invoices/%2e%2e',
  '/invoices/a%2fb',
  String.raw`/\evil.example`,
  String.raw`\\evil.example`,
  String.raw`/.\/evil.example`,
  String.raw`/usage?\\evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  '/.\t//evil.example',
  '/us\tage',
  ' /usage',
  '/usage ',
  '/\u0000usage',
  '/@evil.example',
  '//user@evil.example/usage',
  '/:80@evil.example',
  '/\u3002\u3002//evil.example',
  '/\uff0f/evil.example',
  '//evil\u3002example',
  '/us\u00e4ge',
  'javascript:alert(1)',
  'data:text/html,x',
  `/usage?${'a'.repeat(1_000)}`,
  `/usage?${'"'.repeat(900)}`,
])('%j is no page of the portal', (address) => {
  expect(findOwnPage('portal', address)).toBeUndefined();
  expect(ownPage('portal', address)).toBe('/');
});

test.each([
  ['/console/', '/console'],
  ['/console/accounts/a-1/credits?by=day', '/console/accounts/a-1/credits?by=day'],
  ['/', undefined],
  ['/usage', undefined],
  ['/admin/v1/accounts', undefined],
  ['/console//evil.example', undefined],
  ['/console/..//evil.example', undefined],
  ['/console/accounts/./../..//evil.example', undefined],
])('%j is a page of the console: %j', (address, page) => {
  expect(findOwnPage('console', address)).toBe(page);
});

test('whatever is asked for, a page of the same origin is opened, and stays the same', () => {
  const parts = String.raw`/ // . .. %2e %2f %5c \ @ : ? # " usage invoices console accounts evil.example https:`;
  const pieces = fc.array(fc.constantFrom(...parts.split(' '), ' ', '\t', '\n', '\r', '\u3002'), {
    maxLength: 12,
  });
  const address = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    pieces.map((some) => some.join('')),
    pieces.map((some) => `/${some.join('')}`),
  );
  fc.assert(
    fc.property(fc.constantFrom(...SITES), address, (site, asked) => {
      const page = ownPage(site, asked);
      for (const base of ['https://portal.example', 'http://a.example:8443/popindex/usage']) {
        expect(new URL(page, base).origin).toBe(new URL(base).origin);
      }
      expect(ownPage(site, page)).toBe(page);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['portal', 'portal/router.tsx', /path: '([^']*)'/g, ''],
  ['console', 'console/console-router.tsx', /(?:, path: |page\(|moved\()'([^']*)'/g, '/console'],
] as const)('every page of the %s may be come back to', (site, file, routes, prefix) => {
  const source = readFileSync(`apps/portal/web/src/${file}`, 'utf8');
  const paths = [...source.matchAll(routes)].map(([, path = '']) => prefix + path);
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const address = path.replaceAll('$', 'x');
    const page = path === `${prefix}/` ? FIRST_PAGE[site] : address;
    expect([path, findOwnPage(site, address)]).toEqual([path, page]);
  }
});
