import { parseChargingUrl } from './charging-url.js';

test.each([
  ['tcp://accounting:3002', 'accounting', 3002],
  ['tcp://10.0.0.7:9', '10.0.0.7', 9],
  ['tcp://accounting', 'accounting', 3002],
  [' tcp://accounting-1.internal:4000/ ', 'accounting-1.internal', 4000],
  ['tcp://[::1]:3002', '::1', 3002],
  ['http://accounting:3002', 'accounting', 3002],
])('%s names a process', (url, host, port) => {
  expect(parseChargingUrl(url)).toEqual({ url: url.trim(), host, port });
});

test.each([
  ['unix:/run/popindex.sock', '/run/popindex.sock'],
  ['unix:///run/popindex.sock', '/run/popindex.sock'],
])('%s names a socket of this machine', (url, path) => {
  expect(parseChargingUrl(url)).toEqual({ url, path });
});

test.each([
  '',
  'unix:',
  'unix:relative.sock',
  'accounting:3002',
  'https://accounting:3002',
  'tcp://',
  'tcp://:3002',
  'tcp://accounting:0',
  'tcp://accounting:70000',
  'tcp://user:password@accounting:3002',
  'tcp://accounting:3002/path',
  'tcp://accounting:3002?x=1',
])('"%s" is refused', (url) => {
  expect(() => parseChargingUrl(url)).toThrow(RangeError);
});
