import { Body, Controller, Delete, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendNothing } from '#rest/operation/answers.js';
import { PAGE } from '#rest/operation/queries.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { ownSessionView } from '#rest/portal-sessions/portal-session.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { sessionOf } from '#rest/portal-sessions/signed-in.js';

/** Who is signed in to the account: a manager ends any session, a viewer its own, which the door sees to. */
@Controller('portal/v1/sessions')
export class OwnSessionsController {
  constructor(@Inject(PortalSessions) private readonly sessions: PortalSessions) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, PAGE).query;
    const { id, accountId } = sessionOf(request);
    const { items, next } = await this.sessions.page(accountId, after, limit);
    sendJson(request, reply, { items: items.map((view) => ownSessionView(view, id)), next });
  }

  @Delete(':session_id')
  async end(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'session_id');
    const { session_id: sessionId } = change.ids;
    const { accountId } = sessionOf(request);
    const { reason } = parseBody(Reason, body === undefined ? {} : body);
    sendNothing(reply, await this.sessions.revoke(accountId, sessionId, change, reason));
  }
}
