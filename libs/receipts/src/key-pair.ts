import { createHash, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

/** A key pair that nobody has ever seen. */
export interface KeyPair {
  /** JWK thumbprint of the public half (RFC 7638). */
  readonly kid: string;
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  /** The JWK of the private half as JSON. */
  readonly privateKey: string;
}

/** Draws an Ed25519 key pair. */
export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  const { x = '' } = jwk;
  return { kid: thumbprint(x), publicKey: x, privateKey: JSON.stringify(jwk) };
}

/** The public half as a JWK. */
export function publicJwk(kid: string, x: string) {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    alg: 'EdDSA',
    use: 'sig',
  } as const satisfies JsonWebKey;
}

/** RFC 7638 names the members and their order. */
function thumbprint(x: string): string {
  const text = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return createHash('sha256').update(text).digest('base64url');
}
