import { createPrivateKey, createPublicKey, sign, verify, type JsonWebKey } from 'node:crypto';
import { publicJwk } from './key-pair.js';

type Sodium = typeof import('sodium-native');

const SIGNATURE_BYTES = 64;

export type Signs = (bytes: Buffer) => Buffer;

export type Checks = (signature: Uint8Array, bytes: Uint8Array) => boolean;

/** Ed25519 (RFC 8032) in the calling thread: the same signatures, whoever makes them. */
export interface Ed25519 {
  /** `key`: a JWK with its private half. */
  readonly signs: (key: JsonWebKey) => Signs;
  /** `x`: that of the JWK. */
  readonly checks: (x: string) => Checks;
}

/** By libsodium, which takes three fifths of OpenSSL's time; by OpenSSL where there is no build. */
export async function loadEd25519(): Promise<Ed25519> {
  // Its packages are for Linux with glibc, macOS and Windows.
  const loaded = await import('sodium-native').catch(() => undefined);
  return loaded === undefined ? OPENSSL : sodiumOf(loaded);
}

function sodiumOf(sodium: Sodium): Ed25519 {
  return {
    signs: ({ d = '', x = '' }) => {
      const key = Buffer.concat([bytesOf(d), bytesOf(x)]);
      return (bytes) => {
        const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
        sodium.crypto_sign_detached(signature, bytes, key);
        return signature;
      };
    },
    checks: (x) => {
      const key = bytesOf(x);
      return (signature, bytes) => sodium.crypto_sign_verify_detached(signature, bytes, key);
    },
  };
}

/** By what Node.js has itself. */
export const OPENSSL: Ed25519 = {
  signs: (jwk) => {
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return (bytes) => sign(null, bytes, key);
  },
  checks: (x) => {
    const key = createPublicKey({ key: publicJwk('', x), format: 'jwk' });
    return (signature, bytes) => verify(null, bytes, key, signature);
  },
};

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
