import type { Prng } from '../simulator/prng.js';
import { type Asked, type FuzzRequest, headBytes } from './fuzz-request.js';

/** How a body was framed, and how many answers may come for it. */
export interface Framed {
  readonly bytes: Buffer;
  /** More would mean that a part of a body was taken for a request. */
  readonly answersMax: number;
  /** True if a recipient knows where the request ends without the end of the connection. */
  readonly whole: boolean;
  /** The request, where the framing changes it. */
  readonly asked?: Partial<Asked>;
}

/** Requests that lie in wait inside of bodies. */
export interface Bait {
  /** Nobody may ever act on it. */
  readonly forbidden: Buffer;
  /** Where the end of a body is a matter of opinion, it may be taken for a request. */
  readonly harmless: Buffer;
}

type Framing = (request: FuzzRequest, prng: Prng, bait: Bait) => Framed;

const NOT_FRAMED = 1;
/** Bytes behind a request that was cut short are a request of their own, and garbage at most. */
const WITH_REST = 2;

function withHeaders(
  request: FuzzRequest,
  headers: readonly [string, string][],
  ...body: readonly (Buffer | string)[]
): Buffer {
  const head = headBytes({ ...request, headers: [...request.headers, ...headers] });
  return Buffer.concat([
    head,
    ...body.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  ]);
}

function chunk(bytes: Buffer, extension = ''): Buffer {
  const size = `${bytes.length.toString(16)}${extension}\r\n`;
  return Buffer.concat([Buffer.from(size, 'latin1'), bytes, Buffer.from('\r\n')]);
}

function chunks(body: Buffer, prng: Prng): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const length = Math.min(body.length - at, 1 + prng.below(prng.pick([1, 16, 4_096]) + 1));
    const extension = prng.pick(['', '', ';a=b', ';a="b;c"', ';x']);
    // A million chunks of a byte each are no other test than a thousand.
    const size = parts.length < 1_000 ? length : body.length - at;
    parts.push(chunk(body.subarray(at, at + size), extension));
    at += size;
  }
  return Buffer.concat(parts);
}

/** Chunks as they should be: they say what the length would have said. */
export function chunked(request: FuzzRequest, prng: Prng): Framed {
  const body = chunks(request.body ?? Buffer.alloc(0), prng);
  const end = prng.pick([
    '0\r\n\r\n',
    '0\r\n\r\n',
    '000\r\n\r\n',
    '0;x=y\r\n\r\n',
    '0\r\nA: b\r\n\r\n',
  ]);
  const bytes = withHeaders(request, [['Transfer-Encoding', 'chunked']], body, end);
  return { bytes, answersMax: NOT_FRAMED, whole: true };
}

/** Lengths that are none, or more than one. */
function badLength(request: FuzzRequest, prng: Prng, bait: Bait): Framed {
  const body = request.body ?? bait.forbidden;
  const { length } = body;
  const values = [
    `+${length}`,
    `-${length}`,
    `0x${length.toString(16)}`,
    `${length}, ${length}`,
    `${length},${length + 1}`,
    '',
    ' ',
    'x',
    '1e1',
    '18446744073709551616',
    `${length}.0`,
    '9'.repeat(300),
    `${length}\u0000`,
    `${length} ${length}`,
    `${length}\u000b`,
  ];
  const bytes = withHeaders(request, [['Content-Length', prng.pick(values)]], body);
  return { bytes, answersMax: NOT_FRAMED, whole: false };
}

function twoLengths(request: FuzzRequest, prng: Prng, bait: Bait): Framed {
  const body = bait.forbidden;
  const lengths = prng.pick([
    [body.length, 0],
    [0, body.length],
    [body.length, body.length],
    [1, 2],
  ]);
  const headers = lengths.map((length): [string, string] => ['Content-Length', String(length)]);
  return { bytes: withHeaders(request, headers, body), answersMax: NOT_FRAMED, whole: false };
}

/** Length and chunks at once: two readers of them could see two different requests. */
function lengthAndChunks(request: FuzzRequest, prng: Prng, bait: Bait): Framed {
  const inner = bait.forbidden;
  const body = Buffer.concat([Buffer.from('0\r\n\r\n'), inner]);
  const coding = prng.pick(['chunked', 'Chunked', 'identity, chunked', 'chunked ', '\tchunked']);
  const headers: [string, string][] = [
    ['Content-Length', String(prng.pick([body.length, 5, 0, inner.length]))],
    [prng.pick(['Transfer-Encoding', 'transfer-encoding', 'TRANSFER-ENCODING']), coding],
  ];
  const ordered = prng.chance(0.5) ? headers : headers.toReversed();
  return { bytes: withHeaders(request, ordered, body), answersMax: NOT_FRAMED, whole: false };
}

/** Codings that are not "chunked" at the end, or hardly. */
function badCoding(request: FuzzRequest, prng: Prng, bait: Bait): Framed {
  const codings = [
    'identity',
    'gzip',
    'gzip, chunked',
    'chunked, identity',
    'chunked, chunked',
    'xchunked',
    '"chunked"',
    'chunked;q=1',
    'chunked\u0000',
    '\u000bchunked',
    'chunked\u000b',
    '',
    'chunk',
    'chunked,',
    ',chunked',
    'chunked\r\n x',
    'x\r\n chunked',
  ];
  const headers: [string, string][] = [['Transfer-Encoding', prng.pick(codings)]];
  if (prng.chance(0.3)) headers.push(['Transfer-Encoding', 'chunked']);
  const body = Buffer.concat([Buffer.from('0\r\n\r\n'), bait.harmless]);
  // Where it counts as chunks, what follows them is a request of its own, and says so openly.
  return { bytes: withHeaders(request, headers, body), answersMax: WITH_REST, whole: false };
}

function spacedName(request: FuzzRequest, prng: Prng, bait: Bait): Framed {
  const name = prng.pick([
    'Transfer-Encoding ',
    'Transfer-Encoding\t',
    ' Transfer-Encoding',
    'Transfer\u0000-Encoding',
    'Transfer_Encoding',
    'X\nTransfer-Encoding',
    'X\rTransfer-Encoding',
  ]);
  const body = Buffer.concat([Buffer.from('0\r\n\r\n'), bait.forbidden]);
  const length = String(body.length);
  const bytes = withHeaders(
    request,
    [
      [name, 'chunked'],
      ['Content-Length', length],
    ],
    body,
  );
  return { bytes, answersMax: NOT_FRAMED, whole: false };
}

function badChunks(request: FuzzRequest, prng: Prng): Framed {
  const body = request.body ?? Buffer.from('{}');
  const size = body.length.toString(16);
  const text = body.toString('latin1');
  const broken = prng.pick([
    'zz\r\n',
    '-1\r\nx\r\n',
    '0x5\r\nhello\r\n0\r\n\r\n',
    ' 5\r\nhello\r\n0\r\n\r\n',
    `${size}\n${text}\n0\n\n`,
    `${size}\r\n${text}0\r\n\r\n`,
    `${size}\r\n${text}XX0\r\n\r\n`,
    'ffffffffffffffff\r\nx',
    '10000000000000000\r\nx',
    '5\r\nhel',
    '5;'.padEnd(20_000, 'x'),
    `5;a="\u0000"\r\nhello\r\n0\r\n\r\n`,
    '\r\n\r\n',
    '0\r\n',
    '0\r\nA',
    '0\r\n: x\r\n\r\n',
    `0\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
    `0\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
    '0\r\nContent-Length: 5\r\n\r\n',
    '5\rhello\r\n0\r\n\r\n',
    `${'0'.repeat(5_000)}5\r\nhello\r\n`,
    `1;${'x'.repeat(17_000)}\r\nx\r\n0\r\n\r\n`,
    '3 \r\nabc\r\n0 \r\n\r\n',
  ]);
  const bytes = withHeaders(request, [['Transfer-Encoding', 'chunked']], broken);
  return { bytes, answersMax: WITH_REST, whole: false };
}

/** A length below the truth leaves bytes behind, one above it waits for more. */
function wrongLength(request: FuzzRequest, prng: Prng): Framed {
  const body = request.body ?? Buffer.from('{"a":1}');
  const length = prng.chance(0.5) ? prng.below(body.length + 1) : body.length + 1 + prng.below(9);
  const bytes = withHeaders(request, [['Content-Length', String(length)]], body);
  return { bytes, answersMax: WITH_REST, whole: false };
}

/** A GET with a body: allowed, without meaning, and a hiding place. */
function bodyOfGet(request: FuzzRequest, _prng: Prng, bait: Bait): Framed {
  const body = bait.forbidden;
  const length = String(body.length);
  const bytes = withHeaders({ ...request, method: 'GET' }, [['Content-Length', length]], body);
  return { bytes, answersMax: NOT_FRAMED, whole: true, asked: { method: 'GET' } };
}

/** Line ends of Unix alone, or none at all. */
function lineEnds(request: FuzzRequest, prng: Prng): Framed {
  const text = headBytes(request).toString('latin1');
  const changed = prng.pick([
    text.replaceAll('\r\n', '\n'),
    text.replace('\r\n', '\n'),
    text.replaceAll('\r\n', '\r'),
    text.slice(0, -2),
    text.slice(0, prng.below(text.length)),
    `\r\n\r\n${text}`,
    `\u0000${text}`,
    ` ${text}`,
    text.replace(' ', '\t'),
    text.replace(' ', '  '),
    text.replaceAll(': ', ':'),
    text.replaceAll(': ', '='),
  ]);
  return { bytes: Buffer.from(changed, 'latin1'), answersMax: WITH_REST, whole: false };
}

function noise(_request: FuzzRequest, prng: Prng): Framed {
  const length = 1 + prng.below(prng.pick([8, 200, 40_000]));
  const bytes = Buffer.from(Array.from({ length }, () => prng.below(256)));
  const starts = [
    '',
    'GET ',
    'GET / HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001',
  ];
  const start = Buffer.from(prng.pick(starts), 'latin1');
  return { bytes: Buffer.concat([start, bytes]), answersMax: WITH_REST, whole: false };
}

export const HOSTILE_FRAMINGS: readonly Framing[] = [
  badLength,
  twoLengths,
  lengthAndChunks,
  lengthAndChunks,
  badCoding,
  badCoding,
  spacedName,
  badChunks,
  badChunks,
  wrongLength,
  bodyOfGet,
  lineEnds,
  noise,
];
