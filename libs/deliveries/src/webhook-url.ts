import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

export const URL_LENGTH_MAX = 2_000;

/** The host of a URL as sockets take it: IPv6 without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Names of this machine (RFC 6761), which no server is asked for. */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/** `URL` drops or encodes them, so that what is shown would not be what is called. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Z}]/u;

/** The fault of a webhook's address, or undefined. `allowPrivate`: as it is set. */
export function webhookUrlFault(text: string, allowPrivate: boolean): string | undefined {
  if (UNPRINTABLE.test(text)) return 'This must not hold blanks or control characters';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    return 'An address such as https://example.com/hooks';
  }
  if (url.username !== '' || url.password !== '') return 'This must not hold a user or password';
  if (text.includes('#')) return 'This must not hold a fragment';
  if (allowPrivate) return undefined;
  if (url.protocol !== 'https:') return 'Only https is taken';
  const host = hostOf(url);
  const isPrivate = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host);
  return isPrivate ? 'This is no public address' : undefined;
}
