import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Foundation, FOUNDATION } from './foundation.js';
import { PAGE_HEADERS } from './html.js';
import { problemsPage, isProblemSlug, problemPage } from './problem-page.js';
import { ProblemException, problem } from './problem.js';

@Controller('problems')
export class ProblemsController {
  constructor(@Inject(FOUNDATION) private readonly foundation: Foundation) {}

  @Get()
  list(@Res() reply: FastifyReply): void {
    void reply.headers(PAGE_HEADERS).send(problemsPage());
  }

  @Get(':slug')
  page(@Param('slug') slug: string, @Res() reply: FastifyReply): void {
    if (!isProblemSlug(slug)) {
      throw new ProblemException(problem('not-found', 'There is no problem of that name.'));
    }
    void reply.headers(PAGE_HEADERS).send(problemPage(slug, this.foundation.baseUrl));
  }
}
