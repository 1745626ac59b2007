import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendCreated, sendNothing } from '#rest/operation/answers.js';
import { PAGE } from '#rest/operation/queries.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { openPortalSessionBody } from './open-portal-session.body.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';

/** Links that operators give to customers, and who is signed in with one. */
@Controller('admin/v1/accounts/:account_id/portal-sessions')
export class PortalSessionsController {
  constructor(@Inject(PortalSessions) private readonly sessions: PortalSessions) {}

  @Post()
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id');
    const wanted = parseBody(openPortalSessionBody, body === undefined ? {} : body);
    const opened = await this.sessions.open(change.ids.account_id, change, wanted);
    sendCreated(request, reply, opened);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, PAGE, 'account_id');
    const { after = null, limit } = query;
    sendJson(request, reply, await this.sessions.page(ids.account_id, after, limit));
  }

  @Delete(':session_id')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id', 'session_id');
    const { account_id: accountId, session_id: sessionId } = change.ids;
    const { reason } = parseBody(Reason, body === undefined ? {} : body);
    sendNothing(reply, await this.sessions.revoke(accountId, sessionId, change, reason));
  }
}
