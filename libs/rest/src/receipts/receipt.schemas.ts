import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

/** The receipt of a call. */
export const CallReceipt = z
  .strictObject({
    receipt: z.string().meta({
      description:
        'A compact JWS (RFC 7515), signed with Ed25519. Its key is listed at `/.well-known/jwks.json`.',
    }),
  })
  .meta({ id: 'CallReceipt' });
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
  .meta({ id: 'ReceiptKey' });
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
  .meta({ id: 'RotateReceiptKey' });
export type RotateReceiptKey = z.output<typeof RotateReceiptKey>;
