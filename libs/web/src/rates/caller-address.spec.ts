import { CallerAddresses } from './caller-address.js';

const NOBODY: readonly string[] = [];
const PROXIES = ['10.0.0.0/8', '::1', '2001:db8:ffff::/48'];

function of(trusted: readonly string[], peer: string, headers: Record<string, string> = {}) {
  return new CallerAddresses(trusted).of({ headers, socket: { remoteAddress: peer } });
}

describe('the address that a caller is counted under', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('of the peer %s is %s', (peer, address) => {
    expect(of(NOBODY, peer)).toBe(address);
  });

  it.each([
    ['not trusted', NOBODY, '10.0.0.1', '192.0.2.7', '10.0.0.1'],
    ['trusted', PROXIES, '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    [
      'trusted, as an IPv4 address in an IPv6 one',
      PROXIES,
      '::ffff:10.0.0.1',
      '192.0.2.7',
      '192.0.2.7',
    ],
    [
      'trusted: what the client wrote counts for nothing',
      PROXIES,
      '10.0.0.1',
      '1.1.1.1, 192.0.2.7',
      '192.0.2.7',
    ],
    ['trusted, behind another', PROXIES, '10.0.0.1', '1.1.1.1, 192.0.2.7, 10.9.9.9', '192.0.2.7'],
    ['trusted, for a client with a port', PROXIES, '::1', '192.0.2.7:4711', '192.0.2.7'],
    [
      'trusted, for an IPv6 client with a port',
      PROXIES,
      '::1',
      '[2001:db8:1:2::9]:4711',
      '2001:db8:1:2::/64',
    ],
    ['trusted, that says nonsense', PROXIES, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['trusted, that calls for itself', PROXIES, '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['trusted, by a range of IPv6', PROXIES, '2001:db8:ffff::5', '192.0.2.7', '192.0.2.7'],
  ] as const)('behind a proxy that is %s', (_what, trusted, peer, forwarded, address) => {
    expect(of(trusted, peer, { 'x-forwarded-for': forwarded })).toBe(address);
    const elements = forwarded.split(', ').map((hop) => `proto=https;For="${hop}";by=_x`);
    expect(of(trusted, peer, { forwarded: elements.join(', ') })).toBe(address);
  });

  it('is the proxy’s where the two headers disagree: one of them came from outside', () => {
    const headers = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.8' };
    expect(of(PROXIES, '10.0.0.1', headers)).toBe('10.0.0.1');
  });
});
