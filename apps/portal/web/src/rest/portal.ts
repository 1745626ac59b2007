import { operationsAt } from '#client/operations.js';
import { TABLE, type Portal } from '#dist/pages/portal.js';

/** The operations of the portal's REST. */
export const portal = operationsAt<Portal>(TABLE);
