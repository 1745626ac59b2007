import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Thrown for what another key has encrypted, or what was changed since. */
export class OtherKeyError extends Error {
  override readonly name = 'OtherKeyError';
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts with AES-256-GCM: id of the key, nonce, ciphertext, tag. The key is derived (HKDF)
 * from a secret of at least 32 characters, so that the secret itself serves other ends too.
 */
export class SecretBox {
  private readonly key: Buffer;
  private readonly keyId: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'popindex webhook secrets', KEY_BYTES));
    this.keyId = createHash('sha256').update(this.key).digest().subarray(0, KEY_ID_BYTES);
  }

  /** `name`: what the text belongs to; under another name it does not open. */
  encrypt(name: string, text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(name));
    const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([this.keyId, nonce, ...encrypted, cipher.getAuthTag()]);
  }

  /** Throws OtherKeyError. */
  open(name: string, encrypted: Buffer): string {
    const nonce = encrypted.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
    const text = encrypted.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES);
    if (!encrypted.subarray(0, KEY_ID_BYTES).equals(this.keyId)) {
      throw new OtherKeyError('It was encrypted with another key.');
    }
    try {
      const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new OtherKeyError('It was changed.', { cause: error });
    }
  }
}
