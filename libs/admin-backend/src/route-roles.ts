import { ADMIN } from '#rest/operation/interfaces.js';
import { operationAt } from '#rest/operation/permissions.js';
import type { Role } from '#rest/operation/role.js';
import { RESOURCES } from '#rest/resources.js';

/** The operation of the admin REST that a route serves. */
export const adminOperationAt = operationAt(ADMIN, RESOURCES);

/**
 * The roles that a route is open to, owners always among them. `route`: its pattern, as
 * `/admin/v1/accounts/:account_id`.
 */
export function rolesOf(method: string, route: string): readonly Role[] {
  return ['owner', ...(adminOperationAt(method, route)?.access.roles ?? [])];
}
