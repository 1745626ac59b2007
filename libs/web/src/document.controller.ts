import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { docsPage } from './docs-page.js';
import { type Foundation, FOUNDATION } from './foundation.js';
import { PAGE_HEADERS } from './html.js';
import { negotiate } from './table-answer.js';

/** The document of an application and a page to read it. */
@Controller()
export class DocumentController {
  readonly #json: string;
  readonly #page: string;

  constructor(@Inject(FOUNDATION) foundation: Foundation) {
    this.#json = JSON.stringify(foundation.document);
    this.#page = docsPage(foundation.document);
  }

  @Get('openapi.json')
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    negotiate(request, ['application/json']);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', PAGE_HEADERS['cache-control'])
      .send(this.#json);
  }

  @Get('docs')
  docs(@Res() reply: FastifyReply): void {
    void reply.headers(PAGE_HEADERS).send(this.#page);
  }
}
