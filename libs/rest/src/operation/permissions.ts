import type { Interface } from './interfaces.js';
import type { Operation, Access, Resource } from './operation.js';
import { routeOf } from './path-parameters.js';

/** Read by operators of billing and support. */
export const STAFF_READ: Access = { roles: ['billing', 'support'] };

/** Changed by operators of billing. */
export const STAFF_CHANGE: Access = { roles: ['billing'] };

/** Read by billing and support, and in the portal by everybody who is signed in. */
export const SALES_READ: Access = { ...STAFF_READ, session: 'viewer' };

/** Reads for billing and support, every portal session, and API keys that may read the account. */
export const ACCOUNT_READ: Access = { ...SALES_READ, scope: 'account:read' };

/** Changed by billing, and in the portal by managers. */
export const SALES_CHANGE: Access = { ...STAFF_CHANGE, session: 'manager' };

/** The same, and with API keys that may change the account. */
export const ACCOUNT_CHANGE: Access = { ...SALES_CHANGE, scope: 'account:write' };

/** Read by whoever is signed in to the portal. */
export const SESSION_READ: Access = { session: 'viewer' };

/** Read by sessions, and by API keys that may call the data. */
export const DATA_READ: Access = { ...SESSION_READ, scope: 'data' };

/** The same, and by operators of billing and support. */
export const CATALOG_READ: Access = { ...DATA_READ, ...STAFF_READ };

/** Finds an operation. `route`: as the server names it, `/admin/v1/accounts/:account_id`. */
export type FindOperation = (method: string, route: string) => Operation | undefined;

/** Undefined where no operation of the interface stands. */
export function operationAt(to: Interface, resources: readonly Resource[]): FindOperation {
  const found = new Map<string, Operation>();
  for (const operation of resources.flatMap(({ operations }) => operations)) {
    const path = to.pathOf(operation);
    if (path === undefined) continue;
    const method = operation.method.toUpperCase();
    found.set(`${method} ${to.prefix}${routeOf(path)}`, operation);
  }
  return (method, route) => found.get(`${method === 'HEAD' ? 'GET' : method} ${route}`);
}
