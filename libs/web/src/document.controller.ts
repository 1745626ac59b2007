import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { docsPage } from './docs-page.js';
import { type Foundation, FOUNDATION } from './foundation.js';
import { PAGE_HEADERS } from './html.js';
import { sendStatic } from './send-static.js';
import { sharedComponents } from './shared-components.js';
import { StaticDocument } from './static-document.js';
import { negotiate } from './table-answer.js';

/** The document of an application and a page to read it. */
@Controller()
export class DocumentController {
  readonly #json: StaticDocument;
  readonly #page: StaticDocument;

  constructor(@Inject(FOUNDATION) { document }: Foundation) {
    this.#json = new StaticDocument(JSON.stringify(sharedComponents(document)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': PAGE_HEADERS['cache-control'],
    });
    this.#page = new StaticDocument(docsPage(document), PAGE_HEADERS);
  }

  @Get('openapi.json')
  async document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    negotiate(request, ['application/json']);
    await sendStatic(request, reply, this.#json);
  }

  @Get('docs')
  async docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendStatic(request, reply, this.#page);
  }
}
