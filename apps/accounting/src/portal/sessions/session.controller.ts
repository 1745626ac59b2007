import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import type { AccountReads } from '#ledger/views/account-reads.js';
import { parseBody } from '#web/body.js';
import { ProblemException } from '#web/problem.js';
import { sendJson } from '#web/table-answer.js';
import { sendNothing } from '#rest/operation/answers.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';
import { readChange, readPath } from '#rest/operation/request-parameters.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { PORTAL_CONFIGURATION } from '#rest/catalog/ports.js';
import type { PortalSession } from '#rest/portal-sessions/portal-session.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { sessionOf } from '#rest/portal-sessions/signed-in.js';

const TOKEN_LENGTH_MAX = 200;

/** Body of `POST /portal/v1/session`. */
export const signInBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(TOKEN_LENGTH_MAX)
    .meta({ description: 'Of a link, behind #token=.' }),
});

/** Signing in with a link, and out. */
@Controller('portal/v1/session')
export class SessionController {
  constructor(
    @Inject(PortalSessions) private readonly sessions: PortalSessions,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(SignIns) private readonly signIns: SignIns,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(PORTAL_CONFIGURATION) private readonly configuration: { readonly baseUrl: string },
  ) {}

  @Post()
  @HttpCode(200)
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    readPath(request);
    const { token } = parseBody(signInBody, body);
    const { session, cookie } = await this.redeem(request, token);
    const { id, accountId } = session;
    this.signIns.note(request, 'signed-in', { door: 'portal', by: id, account_id: accountId });
    this.cookie.set(reply, cookie);
    sendJson(request, reply, await this.show(session));
  }

  @Get()
  async session(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    sendJson(request, reply, await this.show(sessionOf(request)));
  }

  @Delete()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const change = readChange(request);
    const { id, accountId } = sessionOf(request);
    const done = await this.sessions.revoke(accountId, id, change, 'Signed out.');
    this.cookie.clear(reply);
    sendNothing(reply, done);
  }

  private async redeem(request: FastifyRequest, token: string) {
    try {
      return await this.sessions.redeem(token);
    } catch (error) {
      if (error instanceof ProblemException) {
        this.signIns.note(request, 'sign-in-failed', { door: 'portal' });
      }
      throw error;
    }
  }

  private async show({ id, accountId, role, expiresAt }: PortalSession) {
    return {
      id,
      account: foundAccount(await this.reads.account(accountId)),
      role,
      expires_at: formatMoment(expiresAt),
      billing_time_zone: this.calendar.zone,
      base_url: this.configuration.baseUrl,
    };
  }
}
