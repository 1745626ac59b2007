import { adminStage } from '../../../test/setup/stages.js';
import { adminDocument } from './admin-document.js';
import { ROLES, type Role } from '#rest/operation/role.js';
import { rolesOf } from './route-roles.js';

const NOBODY = '0197c000-0000-7000-8000-000000000000';
const { paths } = adminDocument('https://api.example.com');

/** Every route of the admin REST: the document holds them all. */
const ROUTES = Object.entries(paths)
  .filter(([path]) => path.startsWith('/admin/'))
  .flatMap(([path, item]) =>
    Object.keys(item).map((name) => ({ method: name.toUpperCase() as Method, path })),
  )
  // Who signs in has no role yet, and whoever is signed in may ask who that is, and leave.
  .filter(({ path }) => !path.startsWith('/admin/v1/session'));

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Permissions of each role, stated independently of the tested table. */
const ALLOWED: Readonly<Record<Role, (method: Method, path: string) => boolean>> = {
  owner: () => true,
  billing: (method, path) =>
    !/^\/admin\/v1\/(?:admin-tokens|releases|log|operators|periods\/.*)\b/.test(path) &&
    (method === 'GET' || path !== '/admin/v1/receipt-keys'),
  support: (method, path) =>
    method === 'GET' || /\/(?:(?:rate-cards|budgets)\/preview|reconciliations)$/.test(path),
  data: (_, path) => path.startsWith('/admin/v1/releases'),
};

const stage = adminStage();
const tokens = new Map<Role, string>();

beforeAll(async () => {
  for (const role of ROLES) {
    const { json } = await stage.post('/admin-tokens', { name: `The ${role}`, role });
    tokens.set(role, String(json['token']));
  }
});

describe('every route', () => {
  it.each(ROUTES)('is open to those who may: $method $path', async ({ method, path }) => {
    const url = path.replaceAll(/\{\w+\}/g, NOBODY);
    for (const role of ROLES) {
      const authorization = `Bearer ${tokens.get(role)}`;
      // Nothing is changed by a body that nobody takes.
      const asked = method === 'GET' ? {} : { body: { no_such_member: 1 } };
      const { status, json } = await stage.ask(method, url, { authorization, ...asked });
      expect([role, status === 403]).toEqual([role, !ALLOWED[role](method, path)]);
      if (status !== 403) continue;
      const { code, detail } = json as { readonly code: string; readonly detail: string };
      expect([code, detail]).toEqual(['forbidden', expect.stringContaining(`role ${role}.`)]);
      expect(detail).toContain('role owner');
    }
  });
});

test('a route that the table does not name is for owners alone', () => {
  expect(rolesOf('GET', '/admin/v1/something-new')).toEqual(['owner']);
  expect(rolesOf('GET', '/admin/v2/accounts')).toEqual(['owner']);
});

test('whoever may read an answer may ask for its headers alone', () => {
  for (const { path } of ROUTES) expect(rolesOf('HEAD', path)).toEqual(rolesOf('GET', path));
});
