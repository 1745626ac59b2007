import { hash } from 'node:crypto';

const DIGITS = Buffer.from('0123456789abcdef', 'latin1');
/** Where the two digits of each byte stand in the text. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** Written over for each: pieced together, a text would be as many objects as it has pieces. */
const written = Buffer.alloc(36, '-');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version, in any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The text of 16 bytes as a UUID; their version and variant bits are overwritten. */
export function formatUuid(bytes: Uint8Array, version: 7 | 8): string {
  for (let index = 0; index < PLACES.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const place = PLACES[index] ?? 0;
    written[place] = DIGITS[byte >> 4] ?? 0;
    written[place + 1] = DIGITS[byte & 0x0f] ?? 0;
  }
  written[14] = DIGITS[version] ?? 0;
  written[19] = DIGITS[0x8 | (((bytes[8] ?? 0) >> 4) & 0x3)] ?? 0;
  return written.toString('latin1');
}

/** A UUIDv8 (RFC 9562) of the first 16 bytes of a hash: the same input has the same name. */
export function uuidV8(digest: Uint8Array): string {
  if (digest.length < 16) throw new RangeError('A UUIDv8 is made of at least 16 bytes.');
  return formatUuid(digest, 8);
}

/** A UUIDv8 that follows from texts: the same for the same ones, whoever asks. */
export function uuidOfParts(...parts: readonly string[]): string {
  // Lengths keep ("a", "bc") and ("ab", "c") apart.
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return uuidV8(hash('sha256', text, 'buffer'));
}

/**
 * Makes UUIDv7 (RFC 9562) that never step back within a process: 48 bits of milliseconds, a counter
 * of 12 + 14 bits that gets a new seed each millisecond and counts within it, 48 random bits.
 */
export class UuidV7 {
  readonly #now: () => number;
  readonly #fill: (bytes: Uint8Array) => void;
  readonly #bytes = new Uint8Array(16);
  #millisecond = -1;
  #counter = 0;

  /** `now`: ms since 1970. `fill`: fills the array with random bytes. */
  constructor(now: () => number, fill: (bytes: Uint8Array) => void) {
    this.#now = now;
    this.#fill = fill;
  }

  next(): string {
    this.#fill(this.#bytes);
    this.#step(Math.max(this.#now(), this.#millisecond));
    return this.#format();
  }

  /**
   * If the clock stands still or steps back, the last millisecond stays and the counter goes on.
   */
  #step(now: number): void {
    const [, , , , , , b6 = 0, b7 = 0, b8 = 0] = this.#bytes;
    if (now > this.#millisecond) {
      this.#millisecond = now;
      // The highest bit stays free, so that a millisecond has room to count.
      this.#counter = ((b6 << 16) | (b7 << 8) | b8) & 0x1ffffff;
      return;
    }
    this.#counter += 1 + (b6 & 0x3f);
    if (this.#counter > 0x3ffffff) {
      this.#millisecond += 1;
      this.#counter = 0;
    }
  }

  #format(): string {
    const bytes = this.#bytes;
    let milliseconds = this.#millisecond;
    for (let index = 5; index >= 0; index -= 1) {
      bytes[index] = milliseconds % 256;
      milliseconds = Math.floor(milliseconds / 256);
    }
    bytes[6] = (this.#counter >>> 22) & 0x0f;
    bytes[7] = (this.#counter >>> 14) & 0xff;
    bytes[8] = (this.#counter >>> 8) & 0x3f;
    bytes[9] = this.#counter & 0xff;
    return formatUuid(bytes, 7);
  }
}
