import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { docsPage } from './docs-page.js';
import { type Foundation, FOUNDATION } from './foundation.js';
import { PAGE_HEADERS } from './html.js';
import { sendStatic } from './send-static.js';
import { sharedComponents } from './shared-components.js';
import { StaticDocument } from './static-document.js';
import { negotiate, NO_STORE } from './table-answer.js';

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': PAGE_HEADERS['cache-control'],
};

/** The document of an application and a page to read it. */
@Controller()
export class DocumentController {
  #json: StaticDocument | undefined;
  #page: StaticDocument | undefined;

  constructor(@Inject(FOUNDATION) private readonly foundation: Foundation) {}

  /** Whoever types the address of a port alone looks for a page. */
  @Get()
  home(@Res() reply: FastifyReply): void {
    const { home = '/docs' } = this.foundation;
    void reply.header('cache-control', NO_STORE).redirect(home, 302);
  }

  @Get('openapi.json')
  async document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    negotiate(request, ['application/json']);
    this.#json ??= new StaticDocument(
      `${JSON.stringify(sharedComponents(this.foundation.document()))}\n`,
      JSON_HEADERS,
    );
    await sendStatic(request, reply, this.#json);
  }

  @Get('docs')
  async docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.#page ??= new StaticDocument(docsPage(this.foundation.document()), PAGE_HEADERS);
    await sendStatic(request, reply, this.#page);
  }
}
