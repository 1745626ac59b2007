export const ADMIN_TOKEN = 'a-token-of-at-least-32-characters-0123';
export const HERE = {
  adminUrl: null,
  host: '127.0.0.1',
  accountingPort: 0,
  portalPort: 0,
  oidc: null,
  trustProxy: [],
};
export const ADDRESSES = {
  baseUrl: 'https://api.example.com',
  portalUrl: 'https://portal.example.com',
};
/** Nobody listens there. */
export const NO_API = 'http://127.0.0.1:1';
export const DELIVERY_SETTINGS = { ...ADDRESSES, allowPrivate: true, secret: ADMIN_TOKEN };
