import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemAnswer } from './answer-headers.js';
import { errorProblem } from './error-problem.js';
import type { Log } from './log.js';
import { ProblemException, statusOf } from './problem.js';

/** Turns whatever a route throws into a problem; what nobody has foreseen is logged with its id. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: string,
    private readonly log: Log,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // Cut off in its body: the socket has been answered already, if anybody was there to read it.
    if (request.raw.destroyed && !request.raw.complete) {
      reply.hijack();
      return;
    }
    const found = errorProblem(error);
    if (!(error instanceof ProblemException) && statusOf(found) >= 500) {
      this.log.error({ err: error, requestId: request.id, method: request.method }, found.slug);
    }
    if (reply.sent) return;
    const answer = problemAnswer(found, this.baseUrl, request.id);
    for (const name of ['etag', 'link', 'content-disposition', 'vary']) reply.removeHeader(name);
    void reply.code(answer.status).headers(answer.headers).send(answer.body);
  }
}
