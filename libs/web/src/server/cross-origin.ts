import type { IncomingMessage } from 'node:http';
import { pathOf } from '../request-target.js';

/** Documents that hold nothing of anybody: pages of any origin may read them. */
const OPEN = /^\/(?:openapi\.json|docs|problems(?:\/[^/]*)?|\.well-known\/[^/]*)$/;
const ANY = '*';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers that this service reads, and those that tracing adds to each request. */
const HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Credits-Max',
  'Credits-Tag',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
  // Any other, as tracing of another kind adds, but for Authorization; old browsers ignore it.
  '*',
].join(', ');
const DAY_S = '86400';
const NONE: readonly string[] = [];

/** Which pages of other origins may read answers (the fetch standard). No cookies are taken. */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  /** `origins`: `https://example.com`, or `*` for all. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Headers of the answer to a request, names and values in turn. `target`: path and query. */
  headersOf({ method, headers }: IncomingMessage, target: string): readonly string[] {
    const { origin } = headers;
    if (origin === undefined) return NONE;
    const isForAll = this.#origins.has(ANY) || OPEN.test(pathOf(target));
    if (!isForAll && !this.#origins.has(origin)) return NONE;
    const allowed = ['Access-Control-Allow-Origin', isForAll ? ANY : origin];
    if (!isForAll) allowed.push('Vary', 'Origin');
    if (method !== 'OPTIONS') return [...allowed, 'Access-Control-Expose-Headers', ANY];
    return [
      ...allowed,
      'Access-Control-Allow-Methods',
      METHODS,
      'Access-Control-Allow-Headers',
      HEADERS,
      'Access-Control-Max-Age',
      DAY_S,
    ];
  }
}
