import { isIPv6 } from 'node:net';

/** Public addresses used in links, without a slash at the end. */
export interface PublicUrls {
  readonly baseUrl: string;
  readonly portalUrl: string;
  /** The specification's `{dashboard_url}`. */
  readonly dashboardUrl: string;
}

interface Addresses {
  readonly host: string;
  readonly apiPort: number;
  readonly portalPort: number;
  readonly givenUrls: Partial<PublicUrls>;
}

/** No client can call "every address of this machine". */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** `http://host:port` of a server, as a client on this machine can call it. */
export function localUrl(host: string, port: number): string {
  if (EVERY_ADDRESS.has(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The path of a public address, without a slash at its end: a proxy in front takes it away. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Whether any of these addresses is https. */
export function isSecure(...urls: readonly (string | null)[]): boolean {
  return urls.some((url) => url?.startsWith('https:') === true);
}

/** The given URLs; the others follow from the address and ports of the servers. */
export function derivedUrls({ host, apiPort, portalPort, givenUrls }: Addresses): PublicUrls {
  const portalUrl = givenUrls.portalUrl ?? localUrl(host, portalPort);
  return {
    baseUrl: givenUrls.baseUrl ?? localUrl(host, apiPort),
    portalUrl,
    dashboardUrl: givenUrls.dashboardUrl ?? `${portalUrl}/dashboard`,
  };
}

/** The same configuration with the ports that port 0 turned out to be, and their addresses. */
export function withPorts<C extends Addresses & PublicUrls>(
  configuration: C,
  ports: {
    readonly apiPort?: number;
    readonly accountingPort?: number;
    readonly portalPort?: number;
  },
): C {
  const moved = { ...configuration, ...ports };
  return { ...moved, ...derivedUrls(moved) };
}
