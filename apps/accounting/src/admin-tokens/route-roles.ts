import { ADMIN } from '#rest/operation/interfaces.js';
import { permissionsOf } from '#rest/operation/permissions.js';
import type { Role } from '#rest/operation/role.js';
import { RESOURCES } from '#rest/resources.js';

/** Who besides owners may do what at the addresses of one area. */
interface Area {
  readonly read: readonly Role[];
  readonly change: readonly Role[];
}

const SALES: Area = { read: ['billing', 'support'], change: ['billing'] };

/**
 * By the first segment behind the prefix; what is not listed here is for owners alone. `billing`
 * may do everything but tokens, releases and losses of the log, `support` may read, `data` keeps releases.
 */
const AREAS: ReadonlyMap<string, Area> = new Map<string, Area>([
  ['accounts', SALES],
  ['session', { read: ['billing', 'support', 'data'], change: ['billing', 'support', 'data'] }],
]);

const permissionsAt = permissionsOf(ADMIN, RESOURCES);

const PREFIX = '/admin/v1/';

function areaOf(route: string): Area | undefined {
  const [area = ''] = route.slice(PREFIX.length).split('/');
  return route.startsWith(PREFIX) ? AREAS.get(area) : undefined;
}

/**
 * The roles that a route is open to, owners always among them. `route`: its pattern, as
 * `/admin/v1/accounts/:account_id`.
 */
export function rolesOf(method: string, route: string): readonly Role[] {
  const operation = permissionsAt(method, route);
  if (operation !== undefined) return ['owner', ...(operation.roles ?? [])];
  const area = areaOf(route);
  const reads = method === 'GET' || method === 'HEAD';
  return ['owner', ...(area?.[reads ? 'read' : 'change'] ?? [])];
}
