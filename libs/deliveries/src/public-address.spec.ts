import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from './public-address.js';

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['100.63.255.255', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450:4001:80e::200e', true],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['100.100.100.200', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['168.63.129.16', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.0.0.192', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['::ffff:169.254.169.254', false],
  ['::7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::7f00:1', false],
  ['100::1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['3fff::1', false],
  ['5f00::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['2606:4700:4700::1111%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['example.com', false],
  ['127.1', false],
  ['', false],
])('%j is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

function isUnicast(address: string): boolean {
  return ipaddr.parse(address).range() === 'unicast';
}

test('no address that another classification calls special is public', () => {
  const first = ['0.0.0.0', '10.0.0.0', '100.64.0.0', '127.0.0.0', '169.254.0.0', '172.16.0.0'];
  const later = ['192.0.0.0', '192.168.0.0', '198.18.0.0', '224.0.0.0', '240.0.0.0'];
  const special = [...first, ...later].map((address) => ipaddr.parse(address).toByteArray());
  const near = fc
    .tuple(fc.constantFrom(...special), fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }))
    .map(([[first = 0, ...rest], [b = 0, c = 0, d = 0]]) =>
      [first, (rest[0] ?? 0) ^ (b & 0x1f), c, d].join('.'),
    );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), near, fc.ipV6()), (address) => {
      if (!isUnicast(address)) expect(isPublicAddress(address)).toBe(false);
    }),
    { numRuns: 20_000 },
  );
});

test('most of the address space stays callable', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 99 }), fc.nat(255), (first, last) => {
      expect(isPublicAddress(`${first}.1.2.${last}`)).toBe(true);
    }),
  );
});
