import { preferredCoding, preferredType } from './negotiation.js';

describe('the content coding', () => {
  it.each([
    // Accept-Encoding, of a large body, of a small one
    [undefined, 'identity', 'identity'],
    ['', 'identity', 'identity'],
    ['gzip', 'gzip', 'identity'],
    ['x-gzip', 'gzip', 'identity'],
    ['br', 'br', 'identity'],
    ['gzip, deflate, br', 'br', 'identity'],
    ['gzip, deflate, br, zstd', 'br', 'identity'],
    ['GZIP', 'gzip', 'identity'],
    ['gzip;q=1.0, br;q=0.5', 'gzip', 'identity'],
    ['gzip; q=0.5 , br;q=0.5', 'br', 'identity'],
    ['gzip;q=0', 'identity', 'identity'],
    ['deflate', 'identity', 'identity'],
    ['identity', 'identity', 'identity'],
    ['identity;q=0.5, gzip;q=0.4', 'identity', 'identity'],
    ['identity, gzip;q=0.4', 'identity', 'identity'],
    ['*', 'br', 'identity'],
    ['*;q=0', undefined, undefined],
    ['identity;q=0', undefined, undefined],
    ['identity;q=0, gzip', 'gzip', 'gzip'],
    ['identity;q=0, *', 'br', 'br'],
    ['*;q=0, gzip', 'gzip', 'gzip'],
    ['*;q=0, identity', 'identity', 'identity'],
    ['gzip;q=0, *', 'br', 'identity'],
    ['br;q=0, gzip;q=0, identity;q=0', undefined, undefined],
    ['gzip;q=2', 'gzip', 'identity'],
    ['gzip;q=nonsense', 'gzip', 'identity'],
    ['gzip;q=.5, br;q=.4', 'gzip', 'identity'],
    ['gzip;q=0.00001', 'gzip', 'identity'],
    ['identity;q=0.0000, br;q=1.0000', 'br', 'br'],
    [', ,gzip,', 'gzip', 'identity'],
  ])('for "%s" is %s, of a small body %s', (header, large, small) => {
    expect(preferredCoding(header, false)).toBe(large);
    expect(preferredCoding(header, true)).toBe(small);
  });
});

describe('the media type', () => {
  const offers = ['application/json', 'text/csv'] as const;
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/csv, application/json', 'application/json'],
    ['text/csv, application/json;q=0.9', 'text/csv'],
    ['text/csv;q=0.1, */*;q=0.2', 'application/json'],
    ['application/json;q=0, */*', 'text/csv'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['application/json;q=0, text/csv;q=0', undefined],
    ['application/jsonx', undefined],
    ['application/*;q=0', undefined],
    // As clients really write it, whatever the grammar says.
    ['*/*;q=.8', 'application/json'],
    ['*; q=.2', 'application/json'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
    ['application/json;q=1.0000', 'application/json'],
    ['application/json;q=1.', 'application/json'],
    ['application/json;q=0.12345', 'application/json'],
    ['application/json; Q = 0.5', 'application/json'],
    ['application/json;q="0.5"', 'application/json'],
    ['application/json;q=', 'application/json'],
    ['application/json;q=-1', 'application/json'],
    ['application/json;q=2', 'application/json'],
    ['application/json;version=1', 'application/json'],
    ['application/json; charset=utf-8; q=0.4, text/csv;q=0.5', 'text/csv'],
    ['application/json;odata=verbose', 'application/json'],
    ['application/json;version=1;q=0, application/json', 'application/json'],
    ['text/csv;note="a, b; q=0, \\"c\\""', 'text/csv'],
    ['text/csv;note="never closed', 'text/csv'],
    ['application/json;q=.0', undefined],
    ['application/json;q=0.0000', undefined],
    ['*;q=0', undefined],
    // Nothing in it is a type, so nothing is ruled out.
    [' ', 'application/json'],
    [', ;q=1,', 'application/json'],
    ['json', 'application/json'],
  ])('for "%s" is %s', (accept, type) => {
    expect(preferredType(accept, offers)).toBe(type);
  });
});

it.each([
  '"'.repeat(16_000),
  '"\\'.repeat(8_000),
  'a;'.repeat(8_000),
  `a;q=${'1'.repeat(16_000)}x`,
])('a header of junk takes no time (%#)', (junk) => {
  const startedAt = performance.now();
  preferredType(junk, ['application/json']);
  preferredCoding(junk, false);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
