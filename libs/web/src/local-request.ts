import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** `localhost` and the names below it, which only this machine may be called (RFC 6761). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost$/;

/** Headers that a proxy adds to forwarded requests. */
const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * Whether a request comes from this machine, asked by its sender itself: what a proxy hands on may
 * come from anywhere. It has to ask for this machine by a loopback name or address, or one of
 * `names`: a page of another site whose name suddenly leads here (DNS rebinding) asks for its own.
 */
export function isLocal(
  {
    headers,
    socket,
  }: {
    readonly headers: IncomingMessage['headers'];
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  names: ReadonlySet<string>,
): boolean {
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  if (!isLoopback(socket.remoteAddress ?? '')) return false;
  const asked = hostnameOf(`http://${headers.host ?? ''}`);
  return LOOPBACK_NAME.test(asked) || isLoopback(asked) || names.has(asked);
}

/** Name or address in a URL, as a `Host` is compared: without port, brackets and last dot. */
export function hostnameOf(url: string): string {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
}

function isLoopback(text: string): boolean {
  const address = text.replace(MAPPED, '');
  if (isIP(address) === 0) return false;
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
