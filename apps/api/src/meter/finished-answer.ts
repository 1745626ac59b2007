import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { unchangedSinceIn, type Answer, type Release } from '#popularity/releases.js';
import { windowOfKey } from '#rating/key-parts.js';
import { entityTag } from '#web/conditional.js';
import type { Coding } from '#web/negotiation.js';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** Below this many bytes a compressed body is hardly smaller than its headers. */
const SMALL_BYTES = 1024;
/** Rough size of an entry beside its texts and bodies. */
const ENTRY_BYTES = 600;

type Cost = readonly [callCost: number, dataCost: number];

/** The bytes for a charge; a promise while they are being made. */
interface Body {
  readonly cost: Cost;
  readonly coding: Coding;
  bytes: Buffer | Promise<Buffer>;
}

/** The answer of one key in one release, with the bytes that were sent of it so far. */
export class FinishedAnswer {
  readonly rows: number;
  /** Headers of the data, as `sendAnswer` takes them. */
  readonly lines: string;
  readonly etag: string;
  readonly small: boolean;
  /** Whether it was asked for since the cache last looked for one to give up. */
  isRecent = false;
  readonly #data: string;
  /** A few: a name for each would be pieced together with every call. */
  #bodies: readonly Body[] = [];
  #bytes: number;

  /** Calls `grown` with the size of each further body that is kept, in bytes. */
  constructor(
    readonly key: string,
    readonly release: Release,
    answer: Answer,
    private readonly grown: (bytes: number) => void,
  ) {
    this.rows = answer.rows;
    this.etag = entityTag(key, release.label);
    const since = unchangedSinceIn(windowOfKey(key), answer);
    this.lines =
      `Data-Release: ${release.label}\r\nData-Through: ${release.through}\r\n` +
      `Data-Unchanged-Since: ${since}\r\nETag: ${this.etag}\r\n`;
    this.#data = answer.data;
    this.#bytes = ENTRY_BYTES + answer.data.length + key.length;
    this.small = this.#bytes - ENTRY_BYTES < SMALL_BYTES;
  }

  /** Bytes of memory, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The body for a charge in a coding (specification 2.1). It is made once; compressing happens off
   * the event loop. A promise only while it is being made.
   */
  body(cost: Cost, coding: Coding): Buffer | Promise<Buffer> {
    for (const made of this.#bodies) if (isFor(made, cost, coding)) return made.bytes;
    const plain = this.plain(cost);
    const bytes = coding === 'identity' ? plain : compress(plain, coding);
    const made: Body = { cost, coding, bytes };
    this.#bodies = [...this.#bodies, made];
    if ('then' in bytes) made.bytes = this.#compressed(made, bytes);
    else this.#grow(bytes);
    return made.bytes;
  }

  async #compressed(made: Body, compressing: Promise<Buffer>): Promise<Buffer> {
    try {
      const bytes = await compressing;
      made.bytes = bytes;
      this.#grow(bytes);
      return bytes;
    } catch (error) {
      this.#bodies = this.#bodies.filter((other) => other !== made);
      throw error;
    }
  }

  /** The uncompressed body, built for each request. */
  plain(cost: Cost): Buffer {
    return Buffer.from(this.#text(cost));
  }

  #text([callCost, dataCost]: Cost): string {
    const used = callCost + dataCost;
    const costs = `"call_cost":${callCost},"data_cost":${dataCost}`;
    const key = JSON.stringify(this.key);
    return `{"key":${key},"credits_used":${used},"data":${this.#data},${costs}}}\n`;
  }

  #grow(body: Buffer): void {
    this.#bytes += body.length;
    this.grown(body.length);
  }
}

function isFor(made: Body, cost: Cost, coding: Coding): boolean {
  return made.coding === coding && made.cost[0] === cost[0] && made.cost[1] === cost[1];
}

function compress(plain: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  if (coding === 'gzip') return compressGzip(plain);
  return compressBrotli(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
}
