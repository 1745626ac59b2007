import { type Coding, preferredCoding } from '#web/negotiation.js';

/** Content codings for one Accept-Encoding header: of a large body and of a small one. */
export interface Codings {
  readonly large: Coding;
  readonly small: Coding;
}

const HEADERS_MAX = 256;
const PLAIN: Codings = { large: 'identity', small: 'identity' };

/** Negotiates content codings, remembering the few headers that clients really send. */
export class CodingChoice {
  readonly #known = new Map<string, Codings | null>();

  /** Null: the client refuses every coding, identity included. */
  of(header: string | undefined): Codings | null {
    if (header === undefined) return PLAIN;
    const known = this.#known.get(header);
    if (known !== undefined) return known;
    const large = preferredCoding(header, false);
    const small = preferredCoding(header, true);
    const codings = large && small ? { large, small } : null;
    if (this.#known.size >= HEADERS_MAX) this.#known.clear();
    this.#known.set(header, codings);
    return codings;
  }
}
