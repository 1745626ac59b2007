import { BlockList, isIP } from 'node:net';

/** Blocks of IPv4 that are no one's public address (IANA's special-purpose registry), and why. */
const SPECIAL_IPV4: readonly (readonly [block: string, prefix: number, what: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'behind a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'platform of a cloud'],
  ['169.254.0.0', 16, 'link-local, metadata of clouds'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, 'relays of 6to4'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, broadcast'],
];

/** Of IPv6 only global unicast is public at all. */
const GLOBAL_IPV6: readonly [string, number] = ['2000::', 3];

/** Exceptions of it: above all blocks that hold an IPv4 address, which would lead anywhere. */
const SPECIAL_IPV6: readonly (readonly [block: string, prefix: number, what: string])[] = [
  ['2001::', 23, 'protocol assignments, Teredo'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
];

const special = new BlockList();
for (const [block, prefix] of SPECIAL_IPV4) special.addSubnet(block, prefix, 'ipv4');
for (const [block, prefix] of SPECIAL_IPV6) special.addSubnet(block, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_IPV6, 'ipv6');

/**
 * Whether an IP address is a public one, which a stranger's webhook may name: no private, loopback,
 * link-local, shared, multicast or reserved one, and no IPv6 address that hides an IPv4 one.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      // A zone (`fe80::1%eth0`) belongs to a link, and no check would look behind it.
      if (address.includes('%')) return false;
      return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
