import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const OWN_NETWORKS = new BlockList();
OWN_NETWORKS.addSubnet('127.0.0.0', 8);
OWN_NETWORKS.addSubnet('10.0.0.0', 8);
OWN_NETWORKS.addSubnet('172.16.0.0', 12);
OWN_NETWORKS.addSubnet('192.168.0.0', 16);
OWN_NETWORKS.addSubnet('100.64.0.0', 10);
OWN_NETWORKS.addSubnet('169.254.0.0', 16);
OWN_NETWORKS.addAddress('::1', 'ipv6');
OWN_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
OWN_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/** What a proxy adds that asks for somebody else. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * Whether a request comes from this machine or a private network, asked by its sender itself: what a
 * proxy hands on may come from anywhere.
 */
export function isNearby({
  headers,
  socket,
}: {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly remoteAddress?: string | undefined };
}): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const address = (socket.remoteAddress ?? '').replace(MAPPED, '');
  if (address === '') return false;
  return OWN_NETWORKS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
