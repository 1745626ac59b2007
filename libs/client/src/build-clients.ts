import { checkSettings } from './checked-settings.js';
import { Connection, type ConnectionSettings, type RequestOptions } from './connection.js';
import { methodsOf, type Endpoint, type Method, type Methods } from './endpoints.js';
import { pull, type PullOptions } from './pull.js';

/** Of a client for the public API. */
export interface ClientSettings extends ConnectionSettings {
  /** `pix_live_…` or `pix_test_…`; never put it into a page. */
  readonly apiKey: string;
}

/** Of a client for the admin REST. */
export interface AdminClientSettings extends ConnectionSettings {
  readonly token: string;
}

/** Data and its prices. */
export interface Prices {
  pull(path: string, options?: PullOptions): Promise<unknown>;
  quote(urls: readonly string[], options?: RequestOptions): Promise<unknown>;
  unchangedSince(path: string, options?: RequestOptions): Promise<string>;
}

/** A client for the public API by its endpoints. */
export function buildClient(
  given: ClientSettings,
  endpoints: readonly Endpoint[],
): Methods & Prices {
  checkSettings(given, 'apiKey');
  const { apiKey, ...settings } = given;
  const connection = authorized(settings, apiKey);
  const prices: Prices = {
    pull: (path, options) => pull(connection, path, options),
    unchangedSince: async (path, options) => {
      const { headers } = await connection.stream({ ...options, method: 'HEAD', path });
      return headers.get('Data-Unchanged-Since') ?? '';
    },
    quote: (urls, options) =>
      connection.json({ ...options, method: 'POST', path: '/v1/quotes', body: { urls } }),
  };
  return Object.assign(
    methodsOf(connection, endpoints) as Methods & Record<string, Method>,
    prices,
  );
}

/** A client for the admin REST by its endpoints. */
export function buildAdminClient(
  given: AdminClientSettings,
  endpoints: readonly Endpoint[],
): Methods {
  checkSettings(given, 'token');
  const { token, ...settings } = given;
  return methodsOf(authorized(settings, token), endpoints);
}

function authorized(settings: ConnectionSettings, token: string): Connection {
  const headers = { ...settings.headers, Authorization: `Bearer ${token}` };
  return new Connection({ ...settings, headers });
}
