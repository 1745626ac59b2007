import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers that a proxy adds to forwarded requests. */
const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * Whether a request comes from this machine, asked by its sender itself: what a proxy hands on may
 * come from anywhere.
 */
export function isLocal({
  headers,
  socket,
}: {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly remoteAddress?: string | undefined };
}): boolean {
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  const address = (socket.remoteAddress ?? '').replace(MAPPED, '');
  if (address === '') return false;
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
