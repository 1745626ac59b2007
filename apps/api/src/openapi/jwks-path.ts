import { COMMON_PROBLEMS, REQUEST_ID_HEADER, SERVICE_TAG } from '#web/foundation-paths.js';
import type { PathItem, Schema } from '#web/openapi-document.js';
import { problemResponses } from '#web/problem-schemas.js';

const JWK: Schema = {
  type: 'object',
  required: ['kty', 'crv', 'x', 'kid', 'alg', 'use'],
  additionalProperties: false,
  properties: {
    kty: { const: 'OKP' },
    crv: { const: 'Ed25519' },
    x: { type: 'string', description: 'The public key, base64url.' },
    kid: { type: 'string', description: 'The thumbprint of the key (RFC 7638).' },
    alg: { const: 'EdDSA' },
    use: { const: 'sig' },
    exp: {
      type: 'integer',
      description:
        'Seconds since 1970. Refuse receipts of this key whose `at` is later. Absent: the key signs, or is to come.',
    },
  },
};

const JWK_SET: Schema = {
  type: 'object',
  required: ['keys'],
  additionalProperties: false,
  properties: { keys: { type: 'array', items: JWK } },
};

const EXAMPLE = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  alg: 'EdDSA',
  use: 'sig',
};

/** The keys of receipts, for the document. */
export function jwksPath(baseUrl: string): Record<string, PathItem> {
  const cached = { description: 'May be kept for 5 minutes.', schema: { type: 'string' as const } };
  return {
    '/.well-known/jwks.json': {
      get: {
        operationId: 'listReceiptJwks',
        summary: 'Public keys that receipts are checked with',
        description:
          'A JWK set (RFC 7517) of all keys that ever signed receipts, newest first. A new key is ' +
          'listed before it signs.',
        tags: [SERVICE_TAG.name],
        security: [],
        responses: {
          200: {
            description: 'The keys.',
            headers: { ...REQUEST_ID_HEADER, 'Cache-Control': cached },
            content: { 'application/json': { schema: JWK_SET, example: { keys: [EXAMPLE] } } },
          },
          ...problemResponses(COMMON_PROBLEMS, baseUrl),
        },
      },
    },
  };
}
