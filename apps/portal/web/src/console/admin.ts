import { operationsAt } from '#client/operations.js';
import { TABLE, type Admin } from '#dist/pages/admin.js';

/** The operations of the admin REST. */
export const admin = operationsAt<Admin>(TABLE);
