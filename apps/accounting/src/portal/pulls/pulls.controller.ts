import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { NO_STORE, sendJson } from '#web/table-answer.js';
import { readChange } from '#rest/operation/request-parameters.js';
import { accountOf, sessionOf } from '#rest/portal-sessions/signed-in.js';
import type { Asker } from '#rest/pulls/portal-key.js';
import { pullBody, Pulls } from '#rest/pulls/pulls.js';

/** Metered calls from the portal, and what they would cost. */
@Controller('portal/v1')
export class PullsController {
  constructor(@Inject(Pulls) private readonly pulls: Pulls) {}

  @Post('pulls')
  @HttpCode(200)
  async pull(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const asker = askerOf(request);
    const asked = parseBody(pullBody, body);
    sendJson(request, reply, await this.pulls.pull(accountOf(request), asker, asked));
  }

  @Post('quotes')
  @HttpCode(200)
  async quote(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const text = await this.pulls.quote(accountOf(request), askerOf(request), body);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', NO_STORE)
      .send(text);
  }
}

function askerOf(request: FastifyRequest): Asker {
  return { change: readChange(request), manages: sessionOf(request).role === 'manager' };
}
