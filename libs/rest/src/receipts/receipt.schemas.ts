import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

const KID = 'Hn2Wc0ZkO1nRjXc0b0c1q5mSg7m4sJkVJ0m2m1b7C2E';

/** The receipt of a call. */
export const CallReceipt = z
  .strictObject({
    receipt: z.string().meta({
      description:
        'A compact JWS (RFC 7515), signed with Ed25519. Its key is listed at `/.well-known/jwks.json`.',
    }),
  })
  .meta({
    id: 'CallReceipt',
    examples: [{ receipt: 'eyJhbGciOiJFZERTQSJ9.eyJjYWxsX2lkIjoi….c2lnbmF0dXJl' }],
  });
export type CallReceipt = Frozen<z.output<typeof CallReceipt>>;

/** A key that receipts are signed with. */
export const ReceiptKey = z
  .strictObject({
    kid: z.string().meta({ description: 'Its JWK thumbprint (RFC 7638).' }),
    public_key: z.string().meta({ description: '32 bytes, base64url: `x` of the JWK.' }),
    signs_from: z.iso.datetime().meta({ description: 'It signs until another key does.' }),
    status: z.enum(['coming', 'signing', 'retired']).meta({
      id: 'ReceiptKeyStatus',
      description: 'A retired key signs nothing. It stays listed for ever.',
    }),
  })
  .meta({
    id: 'ReceiptKey',
    examples: [
      {
        kid: KID,
        public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        signs_from: '2026-11-24T09:10:00Z',
        status: 'coming' as const,
      },
    ],
  });
export type ReceiptKeyView = Frozen<z.output<typeof ReceiptKey>>;

/** How a key is replaced. */
export const RotateReceiptKey = z
  .strictObject({
    at_once: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Sign with it now. Otherwise it is listed for 10 minutes first, so that whoever has read ' +
          'the list lately knows it.',
      }),
    reason: reasonField,
  })
  .meta({ id: 'RotateReceiptKey', examples: [{ reason: 'Once a year.' }] });
export type RotateReceiptKey = z.output<typeof RotateReceiptKey>;
