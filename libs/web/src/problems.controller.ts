import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Foundation, FOUNDATION } from './foundation.js';
import { PAGE_HEADERS } from './html.js';
import { problemsPage, isProblemSlug, problemPage } from './problem-page.js';
import { ProblemException, problem } from './problem.js';
import { sendStatic } from './send-static.js';
import { StaticDocument } from './static-document.js';

/** The list of all problems and a page for each, made when somebody first asks for it. */
@Controller('problems')
export class ProblemsController {
  readonly #pages = new Map<string, StaticDocument>();

  constructor(@Inject(FOUNDATION) private readonly foundation: Foundation) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendStatic(request, reply, this.#page('', problemsPage));
  }

  @Get(':slug')
  async page(
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isProblemSlug(slug)) {
      throw new ProblemException(
        problem('not-found', 'There is no problem of that name; /problems lists them.'),
      );
    }
    const page = this.#page(slug, () => problemPage(slug, this.foundation.baseUrl));
    await sendStatic(request, reply, page);
  }

  #page(name: string, make: () => string): StaticDocument {
    const known = this.#pages.get(name);
    if (known !== undefined) return known;
    const page = new StaticDocument(make(), PAGE_HEADERS);
    this.#pages.set(name, page);
    return page;
  }
}
