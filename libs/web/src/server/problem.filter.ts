import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemAnswer } from '../answer-headers.js';
import { errorProblem } from '../error-problem.js';
import type { Log } from '../log.js';
import { logFault } from './logged-fault.js';
import { statusOf } from '../problem.js';
import { endsConnection } from './reject.js';

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
    const found = errorProblem(error, request.originalUrl);
    if (statusOf(found) >= 500) {
      const { id: requestId, method } = request;
      logFault(this.log, error, found, { requestId, method, route: request.routeOptions.url });
    }
    if (reply.sent) return;
    keepConnection(request, reply);
    const answer = problemAnswer(found, this.baseUrl, request.id);
    // What was sent behind the last answer of a connection must not be carried out.
    if (endsConnection(found)) reply.raw.shouldKeepAlive = false;
    for (const name of ['etag', 'link', 'content-disposition', 'vary']) reply.removeHeader(name);
    void reply.code(answer.status).headers(answer.headers).send(answer.body);
  }
}

/**
 * Fastify closes the connection for any fault of a body. One that came whole is no reason: what a
 * client has sent behind it would be carried out and never answered.
 */
function keepConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  const mayStay = raw.complete && reply.raw.shouldKeepAlive;
  const isStopping = reply.raw.hasHeader('connection');
  if (mayStay && !isStopping && reply.hasHeader('connection')) {
    reply.header('connection', 'keep-alive');
  }
}
