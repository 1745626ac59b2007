import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { matchesEntityTag } from './conditional.js';
import { type Coding, preferredCoding } from './negotiation.js';

const gzipText = promisify(gzip);
const brotliText = promisify(brotliCompress);
const BROTLI_QUALITY = 5;
const TEXT = /^(?:text\/|application\/|image\/svg)/;

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty with a 304. */
  readonly body: Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * A document that is the same for everybody while the process lives. It is compressed at the first
 * request for a coding, and never again; a client that has it gets 304.
 */
export class StaticDocument {
  readonly #body: Buffer;
  readonly #isText: boolean;
  readonly #etag: string;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  /** `headers`: `content-type` and all else that goes with each answer, names in lower case. */
  constructor(
    body: string | Buffer,
    private readonly headers: Readonly<Record<string, string>> & {
      readonly 'content-type': string;
    },
  ) {
    this.#body = Buffer.from(body);
    this.#isText = TEXT.test(headers['content-type']);
    const digest = createHash('sha256').update(this.#body).digest('base64url');
    // Weak: the codings of a text share it.
    this.#etag = `W/"${digest.slice(0, 22)}"`;
  }

  /** The answer to a request with these headers. */
  async answer(asked: IncomingHttpHeaders): Promise<StaticAnswer> {
    const headers = { ...this.headers, etag: this.#etag, vary: 'Accept-Encoding' };
    if (matchesEntityTag(asked['if-none-match'], this.#etag)) {
      return { status: 304, headers, body: NOTHING };
    }
    const accepted = asked['accept-encoding']?.toString();
    const coding = preferredCoding(accepted, !this.#isText) ?? 'identity';
    const body = await this.#in(coding);
    const length = { ...headers, 'content-length': String(body.length) };
    if (coding === 'identity') return { status: 200, headers: length, body };
    return { status: 200, headers: { ...length, 'content-encoding': coding }, body };
  }

  #in(coding: Coding): Promise<Buffer> {
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const body = compress(this.#body, coding);
    this.#coded.set(coding, body);
    return body;
  }
}

async function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  if (coding === 'gzip') return gzipText(body);
  return brotliText(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
