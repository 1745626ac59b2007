import { Controller, Get, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { jwkSet } from '#receipts/receipt-keys.js';
import type { ReceiptSigner } from '#receipts/receipt-signer.js';

/** Shorter than a key is listed before it signs. */
const CACHED = 'public, max-age=300';

/** Serves the public halves of all keys that ever signed receipts. */
export function jwksController(signer: Pick<ReceiptSigner, 'keys'>): Type {
  @Controller('.well-known')
  class JwksController {
    @Get('jwks.json')
    list(@Res() reply: FastifyReply): void {
      void reply
        .header('cache-control', CACHED)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(jwkSet(signer.keys)));
    }
  }
  return JwksController;
}
