import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

export const KEY_ID_LENGTH = 8;
const HALF = 32;
const IV_BYTES = 12;
/** AES in counter mode counts in the last 4 of its 16 bytes. */
const COUNTER = Buffer.alloc(4);
const REMEMBERED_MAX = 1_000;

/**
 * The key of an account that encrypts the free texts of its events. The same text is encrypted to
 * the same token, so that usage can be grouped by tags, and a token that was changed opens to
 * nothing: AES-256 with an initial vector that is the text's HMAC (a synthetic one, as in RFC
 * 5297).
 */
export class TextKey {
  private readonly mac: Buffer;
  private readonly cipher: Buffer;
  /** Calls say the same tags again and again. */
  private readonly remembered = new Map<string, string>();

  /** `secret`: 64 random bytes. */
  constructor(
    readonly id: string,
    readonly secret: Buffer,
  ) {
    this.mac = secret.subarray(0, HALF);
    this.cipher = secret.subarray(HALF);
  }

  /** Returns the encrypted text for an event: `~`, the key's id, then base64url. */
  encrypt(text: string): string {
    const known = this.remembered.get(text);
    if (known !== undefined) return known;
    const plain = Buffer.from(text);
    const iv = this.ivOf(plain);
    const cipher = createCipheriv('aes-256-ctr', this.cipher, Buffer.concat([iv, COUNTER]));
    const encrypted = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    const token = `~${this.id}${encrypted.toString('base64url')}`;
    if (this.remembered.size >= REMEMBERED_MAX) this.remembered.clear();
    this.remembered.set(text, token);
    return token;
  }

  /** The text behind the base64url of a token; undefined where this key has not encrypted it. */
  open(encrypted: string): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64url');
    if (bytes.length < IV_BYTES) return undefined;
    const iv = bytes.subarray(0, IV_BYTES);
    const opening = createDecipheriv('aes-256-ctr', this.cipher, Buffer.concat([iv, COUNTER]));
    const plain = Buffer.concat([opening.update(bytes.subarray(IV_BYTES)), opening.final()]);
    return timingSafeEqual(this.ivOf(plain), iv) ? plain.toString() : undefined;
  }

  /** Salts hashes of what the account's rows hold; it goes with the key. */
  get salt(): string {
    return createHmac('sha256', this.mac)
      .update('salt of profiles')
      .digest('base64url')
      .slice(0, 22);
  }

  private ivOf(plain: Buffer): Buffer {
    return createHmac('sha256', this.mac).update(plain).digest().subarray(0, IV_BYTES);
  }
}
