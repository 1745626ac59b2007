import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { jwkSet } from '#receipts/receipt-keys.js';
import { ReceiptSigner } from '#receipts/receipt-signer.js';

/** Shorter than a key is listed before it signs. */
const CACHED = 'public, max-age=300';

/** The public halves of all keys that ever signed receipts. */
@Controller('.well-known')
export class JwksController {
  constructor(@Inject(ReceiptSigner) private readonly signer: ReceiptSigner) {}

  @Get('jwks.json')
  list(@Res() reply: FastifyReply): void {
    void reply
      .header('cache-control', CACHED)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(jwkSet(this.signer.keys)));
  }
}
