import { ownPage } from './own-page.js';

const PORTAL = 'https://portal.example.com';

test.each([
  ['/usage?by=day&from=2026-11-01', '/usage?by=day&from=2026-11-01'],
  ['/invoices/INV-000001#part', '/invoices/INV-000001'],
  [undefined, '/'],
  ['usage', '/'],
  ['https://evil.example.com/', '/'],
  ['//evil.example.com/usage', '/'],
  [String.raw`/\evil.example.com`, '/'],
  ['/\t/evil.example.com', '/'],
  ['javascript:alert(1)', '/'],
  [`/${'a'.repeat(1_000)}`, '/'],
])('to come back to %j is to open %j', (path, page) => {
  expect(ownPage(PORTAL, path, '/')).toBe(page);
});
