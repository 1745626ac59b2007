/** Where an accounting process takes charges: a port of a host, or a socket of this machine. */
export type ChargingAddress = {
  /** As it was given, for the log. */
  readonly url: string;
} & ({ readonly host: string; readonly port: number } | { readonly path: string });

const DEFAULT_PORT = 3002;

/**
 * Reads one of CHARGING_URLS: `tcp://host:port`, port 3002 if it is left out, an IPv6 address in
 * brackets; `http://` in its place means the same. Or `unix:/path`: a socket of this machine.
 * Throws a RangeError for anything else.
 */
export function parseChargingUrl(text: string): ChargingAddress {
  const [, socket] = /^unix:(?:\/\/)?(\/.+)$/i.exec(text.trim()) ?? [];
  if (socket !== undefined) return { url: text.trim(), path: socket };
  const address = text.trim().replace(/^http:/i, 'tcp:');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const bare =
    url !== undefined &&
    ['', '/'].includes(url.pathname) &&
    [url.search, url.hash, url.username, url.password].every((part) => part === '');
  if (!bare || url.protocol !== 'tcp:' || url.hostname === '' || url.port === '0') {
    throw new RangeError(`"${text}" is not an address like tcp://host:${DEFAULT_PORT}.`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { url: text.trim(), host, port: url.port === '' ? DEFAULT_PORT : Number(url.port) };
}
