import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemException, problem } from '#web/problem.js';
import { negotiate, sendJson } from '#web/table-answer.js';
import { readPath } from '../accounts/request-parameters.js';
import { LOG_TOOLS, type LogTools } from './log-tools.js';
import { rebuildView, verificationView } from './log-tools-view.js';

const ACCEPTED = 202;

/** Long works on the log: they are begun here, and asked after until they are done. */
@Controller('admin/v1')
export class LogToolsController {
  constructor(@Inject(LOG_TOOLS) private readonly tools: LogTools) {}

  @Post('projections/:name/rebuild')
  rebuild(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    readPath(request);
    negotiate(request, ['application/json']);
    const { name } = request.params as { readonly name: string };
    const started = this.tools.rebuilds.start(name);
    if (started === 'unknown') refuse('not-found', 'There is no such projection.');
    if (started === 'busy') refuse('conflict', 'It is being rebuilt already.');
    void reply.status(ACCEPTED).header('location', '/admin/v1/projections');
    sendJson(request, reply, rebuildView(this.tools.rebuilds.state(name)));
  }

  @Post('verify')
  verify(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    readPath(request);
    negotiate(request, ['application/json']);
    if (this.tools.verifications.start() === 'busy') {
      refuse('conflict', 'The log is being verified already.');
    }
    void reply.status(ACCEPTED).header('location', '/admin/v1/verify');
    this.send(request, reply);
  }

  @Get('verify')
  verification(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    readPath(request);
    this.send(request, reply);
  }

  private send(request: FastifyRequest, reply: FastifyReply): void {
    const state = this.tools.verifications.state();
    if (state === null) refuse('not-found', 'This process has not verified the log yet.');
    sendJson(request, reply, verificationView(state));
  }
}

function refuse(slug: 'not-found' | 'conflict', detail: string): never {
  throw new ProblemException(problem(slug, detail));
}
