import type { Asked } from './fuzz-request.js';

/** An answer as its bytes say. Header names in lower case; several of one name are joined. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ReadAnswers {
  readonly answers: readonly RawAnswer[];
  /** Bytes behind the last whole answer. */
  readonly rest: Buffer;
  /** A fault that no client could understand; null when all is in order. */
  readonly fault: string | null;
}

interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly end: number;
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e\x80-\xff]*)$/;
const HEAD_END = '\r\n\r\n';

class Malformed extends Error {}

/** Reads the answers to these requests, in order, as strictly as no client does. */
export function readAnswers(bytes: Buffer, asked: readonly Asked[]): ReadAnswers {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  try {
    while (rest.length > 0) {
      const head = readHead(rest);
      if (head === undefined) break;
      if (head.status < 200) {
        rest = rest.subarray(head.end);
        continue;
      }
      const isHead = asked[answers.length]?.method === 'HEAD';
      const body = readBody(head, rest.subarray(head.end), isHead);
      if (body === undefined) break;
      answers.push({ status: head.status, headers: head.headers, body: body.content });
      rest = rest.subarray(head.end + body.length);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { answers, rest, fault: error.message };
  }
  return { answers, rest, fault: null };
}

function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) throw new Malformed(`"${first.slice(0, 80)}" is no status line`);
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw new Malformed(`"${line.slice(0, 80)}" is no header`);
    const known = headers[name.toLowerCase()];
    if (known !== undefined) throw new Malformed(`the header ${name} is there twice`);
    headers[name.toLowerCase()] = value;
  }
  return { status: Number(status), headers, end: end + HEAD_END.length };
}

interface Body {
  readonly content: Buffer;
  /** Bytes that it took on the wire. */
  readonly length: number;
}

function readBody({ status, headers }: Head, rest: Buffer, isHead: boolean): Body | undefined {
  if (status === 204 || status === 304) return { content: Buffer.alloc(0), length: 0 };
  if (isHead && (rest.length === 0 || !endsConnection(headers) || isNextHead(rest))) {
    return { content: Buffer.alloc(0), length: 0 };
  }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(rest);
  const length = Number(headers['content-length'] ?? 'none');
  if (!Number.isInteger(length)) throw new Malformed('an answer has neither length nor chunks');
  if (rest.length < length) return undefined;
  return { content: rest.subarray(0, length), length };
}

/**
 * True for the refusal of bytes that are no request: it knows no method, so it has a body even
 * after a HEAD, and the connection ends with it.
 */
function endsConnection(headers: Readonly<Record<string, string>>): boolean {
  return headers['connection'] === 'close';
}

function isNextHead(rest: Buffer): boolean {
  return rest.toString('latin1', 0, 5) === 'HTTP/';
}

function readChunks(rest: Buffer): Body | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, line), 16);
    if (Number.isNaN(size)) throw new Malformed('a chunk has no size');
    const start = line + 2;
    if (rest.length < start + size + 2) return undefined;
    parts.push(rest.subarray(start, start + size));
    at = start + size + 2;
    if (size === 0) return { content: Buffer.concat(parts), length: at };
  }
}
