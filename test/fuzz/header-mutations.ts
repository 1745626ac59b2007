import type { Prng } from '../simulator/prng.js';
import { dropHeader, type FuzzRequest, headerOf, setHeader } from './fuzz-request.js';
import { hostileBytes } from './hostile-values.js';

type HeaderMutation = (request: FuzzRequest, prng: Prng) => void;

/** Sets one header to one of these values or to something hostile. */
function oneOf(name: string, ...values: readonly string[]): HeaderMutation {
  return (request, prng) => {
    setHeader(request, name, prng.chance(0.8) ? prng.pick(values) : hostileBytes(prng));
  };
}

function twice(name: string, ...values: readonly string[]): HeaderMutation {
  return (request, prng) => {
    const known = headerOf(request, name.toLowerCase()) ?? prng.pick(values);
    request.headers.push([name.toUpperCase(), prng.chance(0.5) ? known : prng.pick(values)]);
    if (prng.chance(0.5)) request.headers.unshift([name, prng.pick(values)]);
  };
}

function oddCase(request: FuzzRequest, prng: Prng): void {
  for (const header of request.headers) {
    header[0] = header[0].replaceAll(/[a-z]/gi, (one) =>
      prng.chance(0.5) ? one.toUpperCase() : one.toLowerCase(),
    );
  }
}

function oddSpace(request: FuzzRequest, prng: Prng): void {
  const header = prng.pick(request.headers);
  const [before, after] = prng.pick([
    [' ', ''],
    ['\t\t  ', '  \t'],
    ['\r\n ', ''],
    ['', '\r\n\tfolded'],
    ['\u0000', ''],
    ['\u000b', ''],
    ['', '\u007f'],
    ['', '\u0001'],
    ['\r', ''],
    ['\n', ''],
    ['', '\u00e9'],
  ]) as [string, string];
  header[1] = before + header[1] + after;
}

function oddName(request: FuzzRequest, prng: Prng): void {
  const name = prng.pick(['', ' X', 'X ', 'X\t', 'X\u0000', 'é', 'X:Y', '(x)', 'x'.repeat(40_000)]);
  request.headers.push([name, 'value']);
}

function protoName(request: FuzzRequest, prng: Prng): void {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
  request.headers.push([prng.pick(names), hostileBytes(prng)]);
}

function many(request: FuzzRequest, prng: Prng): void {
  const count = prng.pick([50, 200, 999, 1_001, 2_100, 5_000]);
  for (let index = 0; index < count; index += 1) request.headers.push([`X-${index % 300}`, 'y']);
}

function huge(request: FuzzRequest, prng: Prng): void {
  const name = prng.pick(['Cookie', 'Authorization', 'If-None-Match', 'Credits-Tag', 'Accept']);
  const unit = prng.pick(['x', 'a=b, ', 'W/"x",', 'text/html;q=0.5,', '\u00ff']);
  const length = prng.pick([1_000, 8_000, 30_000, 33_000, 100_000]);
  setHeader(request, name, unit.repeat(Math.ceil(length / unit.length)).trim());
}

function unauthorized(request: FuzzRequest, prng: Prng): void {
  const { headers } = request;
  const known = headerOf(request, 'authorization')?.slice('Bearer '.length) ?? '';
  dropHeader(request, 'authorization');
  const values = [
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    `bearer ${known}`,
    `BEARER  ${known}`,
    known,
    `Bearer ${known} x`,
    `Bearer ${known},`,
    `Bearer "${known}"`,
    `Bearer\t${known}`,
    `Bearer ${known.slice(0, -1)}`,
    `Bearer ${known.toUpperCase()}`,
    `Bearer ${known}\u0000`,
    `Token ${known}`,
    'Bearer pix_live_',
    `Bearer ${'x'.repeat(5_000)}`,
    'Bearer \u00e9',
    `Bearer pix_live_${'0'.repeat(36)}`,
  ];
  if (prng.chance(0.8)) headers.push(['Authorization', prng.pick(values)]);
  if (prng.chance(0.1)) headers.push(['Proxy-Authorization', `Bearer ${known}`]);
}

/** Mutations of the headers of a request, apart from those that frame its body. */
export const HEADER_MUTATIONS: readonly HeaderMutation[] = [
  unauthorized,
  unauthorized,
  unauthorized,
  oddCase,
  oddSpace,
  oddSpace,
  oddName,
  protoName,
  many,
  huge,
  (request) => dropHeader(request, 'host'),
  twice('Host', 'popindex.test', 'other.test'),
  twice('Authorization', 'Bearer x', 'Basic YTpi'),
  twice('Idempotency-Key', 'a', 'b'),
  twice('Credits-Max', '10', '20'),
  twice('Credits-Tag', 'team=a', 'x=y'),
  twice('Content-Type', 'application/json', 'text/plain'),
  twice('Accept', 'text/html', 'application/json'),
  twice('If-None-Match', '*', 'W/"x"'),
  oneOf('Host', '', 'a b', 'popindex.test:99999', '[::1', 'a,b', '../x', 'a@b', '%00'),
  oneOf('Accept', '*/*;q=0', 'text/html', 'application/*', 'text/csv;q=0.5, */*;q=0.1', 'x', ',,;'),
  oneOf('Accept', 'application/json;q=2', 'application/json;q=0.0001', 'APPLICATION/JSON', 'a/b;q'),
  oneOf('Accept-Encoding', 'gzip', 'br', '*;q=0', 'identity;q=0', 'gzip;q=0, *', 'zstd', 'x-gzip'),
  oneOf('If-None-Match', '*', '"x"', 'W/', 'W/""', '"', ',', 'W/"a", W/"b"', '"a" "b"', 'w/"a"'),
  oneOf('If-Match', '*', '"x"'),
  oneOf('If-Modified-Since', 'Tue, 24 Nov 2099 00:00:00 GMT', 'x'),
  oneOf('Range', 'bytes=0-1', 'bytes=-1', 'x=1', 'bytes=0-0,1-1,2-2'),
  oneOf('Credits-Max', '0', '10', '34', '9007199254740991', '9007199254740992', '-1', '1.0', '1e3'),
  oneOf('Credits-Tag', 'a=b', 'a=b,a=c', '__proto__=x', 'constructor=x', 'a=', '=', 'a=b,', 'A=b'),
  oneOf('Credits-Tag', 'toString=x', 'a=b, c=d, e=f, g=h, i=j, k=l', 'a= ', 'a=\u00e9'),
  oneOf('Idempotency-Key', 'x', 'x'.repeat(255), 'x'.repeat(256), 'a b', '\u00e9', '', '__proto__'),
  oneOf('Content-Type', 'application/json; charset=utf-8', 'application/json;charset=latin1', ''),
  oneOf('Content-Type', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'),
  oneOf(
    'Content-Type',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'application/json;',
    '/',
  ),
  oneOf(
    'Content-Type',
    'application/problem+json',
    'application/json\u0000',
    ';',
    'json',
    '\u00e9/é',
  ),
  oneOf('Content-Encoding', 'gzip', 'identity', 'br, gzip', 'GZIP', ''),
  oneOf('Expect', '100-continue', '200-ok', '100-continue, x', '100-CONTINUE'),
  oneOf('Connection', 'close', 'keep-alive', 'upgrade', 'close, x', 'host', 'authorization'),
  oneOf('Upgrade', 'h2c', 'websocket', 'TLS/1.0'),
  oneOf('TE', 'trailers', 'gzip;q=1'),
  oneOf('Trailer', 'Authorization', 'Content-Length'),
  oneOf('Forwarded', 'for=1.2.3.4;host=evil.test;proto=https', 'for="[::1', 'for=unknown,,;'),
  oneOf('X-Forwarded-For', '1.2.3.4', '1.2.3.4, x, [::1]:99999', ','),
  oneOf('X-Forwarded-Host', 'evil.test', 'a, b'),
  oneOf('X-HTTP-Method-Override', 'DELETE', 'POST'),
  oneOf('Origin', 'null', 'https://evil.test'),
  oneOf('Access-Control-Request-Method', 'PUT', 'x'),
  oneOf('Request-Id', 'mine', '00000000-0000-0000-0000-000000000000'),
  oneOf('Cookie', 'a=b; __proto__=c', ';;;=', '='),
];
