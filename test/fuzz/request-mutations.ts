import type { Prng } from '../simulator/prng.js';
import { bytesOf, dropHeader, type FuzzRequest, headerOf, setHeader } from './fuzz-request.js';
import { HEADER_MUTATIONS } from './header-mutations.js';
import { hostileBytes } from './hostile-values.js';
import { mutatedJson } from './json-mutation.js';

/** Changes a request in one way. */
export type RequestMutation = (request: FuzzRequest, prng: Prng) => void;

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'M-SEARCH',
  'QUERY',
  'PURGE',
  'LINK',
  'get',
  'Get',
  'FOO',
  'GE T',
  '',
  'PRI',
  'CONNECT',
];

function changeMethod(request: FuzzRequest, prng: Prng): void {
  request.method = prng.pick(METHODS);
}

function changeSegment(request: FuzzRequest, prng: Prng): void {
  const segments = request.target.split('/');
  const index = 1 + prng.below(Math.max(1, segments.length - 1));
  segments[index] = prng.chance(0.7) ? hostileBytes(prng) : prng.pick(segments);
  request.target = segments.join('/');
}

function reshapePath(request: FuzzRequest, prng: Prng): void {
  const { target } = request;
  const at = prng.below(target.length + 1);
  request.target = prng.pick([
    `${target}/`,
    `/${target}`,
    target.slice(1),
    target.slice(0, at),
    `${target.slice(0, at)}/${target.slice(at)}`,
    `${target.slice(0, at)}/../${target.slice(at)}`,
    `${target.slice(0, at)};a=b${target.slice(at)}`,
    target.replaceAll('/', '\\'),
    target.replaceAll('/', '%2F'),
    target.toUpperCase(),
    escapedCharacter(target, at),
    `${target}#${hostileBytes(prng)}`,
    `${target}${'/x'.repeat(prng.pick([100, 3_000, 4_090, 4_200, 20_000]))}`,
    `${target}${'x'.repeat(prng.pick([250, 8_000, 8_200, 33_000, 70_000]))}`,
  ]);
}

function escapedCharacter(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return `${text}%`;
  return `${text.slice(0, at)}%${code.toString(16).padStart(2, '0')}${text.slice(at + 1)}`;
}

function changeQuery(request: FuzzRequest, prng: Prng): void {
  const [path = '', query = ''] = request.target.split('?', 2);
  const pair = `${hostileBytes(prng)}=${hostileBytes(prng)}`;
  const known = `${prng.pick(['limit', 'after', 'from', 'tag', 'order'])}=${hostileBytes(prng)}`;
  const queries = ['', pair, known, `${query}&${query}`, `${query}&${known}`, `?${query}`, '&&=&'];
  queries.push('__proto__=1&constructor=2', 'limit[]=1', 'limit=1;2', 'a=b'.repeat(500));
  request.target = `${path}?${prng.pick(queries)}`;
}

function changeForm(request: FuzzRequest, prng: Prng): void {
  const { target } = request;
  request.target = prng.pick([
    `http://popindex.test${target}`,
    `HTTPS://user:pass@popindex.test:443${target}`,
    `http://[::1]:80${target}`,
    `http:${target}`,
    `http:///${target}`,
    `ftp://popindex.test${target}`,
    `http://popindex.test`,
    `http://popindex.test?${target}`,
    `//popindex.test${target}`,
    'popindex.test:443',
    '*',
    '/*',
    '?',
    '#',
    '/',
    '',
  ]);
}

function changeVersion(request: FuzzRequest, prng: Prng): void {
  const versions = ['HTTP/1.0', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1.10'];
  request.version = prng.pick([...versions, 'http/1.1', 'HTTP/1', '', 'ICE/1.0', 'RTSP/1.0']);
}

function changeBody(request: FuzzRequest, prng: Prng): void {
  const text = request.body?.toString('utf8') ?? '{}';
  request.body = Buffer.from(mutatedJson(text, prng), 'utf8');
  if (headerOf(request, 'content-type') === undefined) {
    setHeader(request, 'Content-Type', 'application/json');
  }
}

function changeBodyBytes(request: FuzzRequest, prng: Prng): void {
  const text = request.body?.toString('utf8') ?? '{"a":"b"}';
  request.body = prng.pick([
    Buffer.alloc(0),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text.replace(/"/, '"é'), 'latin1'),
    Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]),
    Buffer.from(`\ufeff${text}`),
    Buffer.alloc(prng.pick([1, 100, 65_536]), 0),
    Buffer.alloc(prng.pick([1_048_575, 1_048_576, 1_048_577]), ' '),
    Buffer.from(bytesOf('a=b&c=d'), 'latin1'),
    Buffer.from(`GET /v1/account HTTP/1.1\r\nHost: a\r\n\r\n`),
  ]);
}

function dropBody(request: FuzzRequest, prng: Prng): void {
  request.body = null;
  if (prng.chance(0.5)) dropHeader(request, 'content-type');
}

const MUTATIONS: readonly (readonly [weight: number, mutate: RequestMutation])[] = [
  [10, changeMethod],
  [18, changeSegment],
  [10, reshapePath],
  [10, changeQuery],
  [5, changeForm],
  [2, changeVersion],
  [3, changeBodyBytes],
  [2, dropBody],
  [40, (request, prng) => prng.pick(HEADER_MUTATIONS)(request, prng)],
];

const WEIGHTS = MUTATIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Makes a request wrong in one way, or in several. */
export function mutate(request: FuzzRequest, prng: Prng): void {
  do {
    // Where there is a body, it is what most of the program behind it looks at.
    if (request.body !== null && prng.chance(0.6)) changeBody(request, prng);
    else choose(prng)(request, prng);
  } while (prng.chance(0.25));
}

function choose(prng: Prng): RequestMutation {
  let left = prng.below(WEIGHTS);
  for (const [weight, one] of MUTATIONS) {
    left -= weight;
    if (left < 0) return one;
  }
  return changeMethod;
}
