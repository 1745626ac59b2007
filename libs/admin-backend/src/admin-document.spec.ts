import { adminDocument } from './admin-document.js';
import { expandedDocument } from '../../../test/setup/expanded-document.js';
import { AdminStage } from '../../../test/setup/admin-stage.js';

const document = adminDocument('https://api.example.com');
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** A literal address may be one of a pattern's too, for another method. */
function isAt(path: string, url: string): boolean {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url);
}

describe('the OpenAPI document of the admin REST', () => {
  let stage: AdminStage;
  beforeAll(async () => {
    stage = await AdminStage.open();
  });
  afterAll(() => stage.close());

  it('describes every route, and no route that is not there', async () => {
    for (const { path, method } of operations) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const { headers } = await stage.ask('OPTIONS', url);
      expect([path, String(headers['allow']).split(', ')]).toEqual([
        path,
        expect.arrayContaining([method.toUpperCase()]),
      ]);
      const documented = operations.filter((one) => isAt(one.path, url));
      const allowed = String(headers['allow']).replace('HEAD, ', '').replace('OPTIONS', '');
      const count = allowed.split(', ').filter((name) => name !== '').length;
      expect([path, documented.length]).toEqual([path, count]);
    }
  });

  it('asks for the token, and names the roles that may, wherever it is asked for', () => {
    for (const { path, operation } of operations) {
      const opens = ['signIn', 'getSignInWays'].includes(operation.operationId);
      const closed = path.startsWith('/admin/') && !opens;
      const adminToken = expect.arrayContaining(['owner']) as string[];
      expect([path, operation.security]).toEqual([path, closed ? [{ adminToken }] : []]);
    }
  });

  it('names every operation once, and each parameter of its path', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path');
      const used = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(declared.map(({ name }) => name)).toEqual(used);
    }
  });

  it('refers only to schemas that are there', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const names = [...references].map(([, name]) => name ?? '');
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
    expect(new Set(names).size).toBeGreaterThan(30);
  });

  it('is served as it is, and as a page that names every operation', async () => {
    const { json } = await stage.ask('GET', '/openapi.json', { authorization: null });
    expect(expandedDocument(json).paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
    const page = await stage.ask('GET', '/docs', { authorization: null });
    for (const { operation } of operations) expect(page.text).toContain(operation.operationId);
    expect(page.text).not.toMatch(/<script|src=|@import/);
  });
});
