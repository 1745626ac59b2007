/** Where browsers find the portal. */
export const PORTAL_URL = Symbol('portal url');
